import { hash, randomBytes } from 'node:crypto';
import { customAlphabet } from 'nanoid';

/** No characters that look alike. 20 of them are 116 bits. */
const randomSuffix = customAlphabet('23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ', 20);

/** Generates an id such as `don_7Hq…`, whose prefix names the kind of resource. */
export const newId = <Prefix extends string>(prefix: Prefix) =>
  `${prefix}_${randomSuffix()}` as const;

/**
 * Whether a text has the form of an id. Other texts (a NUL byte, invalid UTF-8, very long ones) must
 * not reach the database, which would fail with an error of its own.
 */
export const isId = (text: string) => /^[a-z]{2,6}_[\w-]{1,80}$/.test(text);

/** Generates a bearer token: 256 random bits after a prefix that secret scanners recognize. */
export const newToken = (prefix: string) => `${prefix}${randomBytes(32).toString('base64url')}`;

/** The SHA-256 under which a token is stored. With 256 random bits no slower hash is needed. */
export const hashToken = (token: string) => hash('sha256', token, 'buffer');
