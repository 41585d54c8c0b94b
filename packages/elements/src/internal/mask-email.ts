/** An address that its owner recognizes and nobody else can write to: `m•••@example.org`. */
export const maskEmail = (email: string): string => email.replace(/^([^@])[^@]*(?=@)/u, '$1•••');
