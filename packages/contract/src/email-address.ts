/**
 * An email address as HTML defines it, with a dot in its domain.
 *
 * Other letters than those of ASCII are rejected: few mail servers accept them before the `@`, and
 * browsers send a domain such as `münchen.example` in its ASCII form. The pattern has no flags, because the
 * OpenAPI document repeats it.
 */
export const EMAIL_ADDRESS =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z\d](?:[A-Za-z\d-]*[A-Za-z\d])?\.)+[A-Za-z](?:[A-Za-z\d-]*[A-Za-z\d])$/;

/**
 * Returns an email address without the traces of a keyboard or of pasting: `ｎａｍｅ＠example．org` is
 * `name@example.org`, and spaces around it and invisible characters are removed.
 */
export const normalizeEmail = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll('。', '.')
    .replace(/\p{Cf}/gu, '')
    .trim();

/** The form in which email addresses of accounts are stored and compared. */
export const emailKey = (text: string): string => normalizeEmail(text).toLowerCase();

/** The first character that an email address cannot contain, such as `ö`; undefined if there is none. */
export const findInvalidCharacter = (email: string): string | undefined =>
  /[^\w.!#$%&'*+/=?^`{|}~@-]/u.exec(email)?.[0];
