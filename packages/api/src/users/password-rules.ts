/** Passwords are checked only for length, not for character classes (NIST SP 800-63B). */
export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 128;
