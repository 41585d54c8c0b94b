import { hash, randomBytes } from 'node:crypto';
import { customAlphabet } from 'nanoid';

/** No letters that are mistaken for one another; 20 of them are 116 bits. */
const randomSuffix = customAlphabet('23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ', 20);

/** A new identifier such as `don_7Hq…`, which says what it names. */
export const newId = <Prefix extends string>(prefix: Prefix) =>
  `${prefix}_${randomSuffix()}` as const;

/**
 * Whether a text can be an identifier at all. What cannot (a NUL byte, broken UTF-8, a novel) is
 * never shown to the database, which would refuse it with an error of its own.
 */
export const isId = (text: string) => /^[a-z]{2,6}_[\w-]{1,80}$/.test(text);

/** A new bearer token: 256 bits behind a prefix that secret scanners can find. */
export const newToken = (prefix: string) => `${prefix}${randomBytes(32).toString('base64url')}`;

/** Tokens are kept as SHA-256 only: with 256 random bits nothing slower is needed. */
export const hashToken = (token: string) => hash('sha256', token, 'buffer');
