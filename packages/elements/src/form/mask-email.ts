/**
 * Masks an email address so that its owner recognizes it, but nobody else can use it:
 * `m•••@example.org`.
 */
export const maskEmail = (email: string): string => email.replace(/^([^@])[^@]*(?=@)/u, '$1•••');
