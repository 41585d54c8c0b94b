import { hash, randomBytes } from 'node:crypto';
import { notFound } from '@connect-embed/contract';
import { customAlphabet } from 'nanoid';

/** Generates 20 characters (116 random bits) from an alphabet without characters that look alike. */
const randomSuffix = customAlphabet('23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ', 20);

/** Generates an id such as `don_7Hq…`, whose prefix names the kind of resource. */
export const newId = <Prefix extends string>(prefix: Prefix) =>
  `${prefix}_${randomSuffix()}` as const;

/**
 * Returns true if a text has the form of an id. Other texts (with a NUL byte or invalid UTF-8, or very
 * long) must not reach the database, because PostgreSQL would fail.
 */
export const isId = (text: string) => /^[a-z]{2,6}_[\w-]{1,80}$/.test(text);

/**
 * Runs the query for the row of an id that a client sent.
 *
 * @throws {ConnectError} `not_found`, also if the text does not have the form of an id
 */
export async function findById<Row>(
  object: string,
  id: string,
  query: { executeTakeFirst(): Promise<Row | undefined> },
): Promise<Row> {
  const row = isId(id) ? await query.executeTakeFirst() : undefined;
  if (!row) throw notFound(object, id);
  return row;
}

/** Generates a bearer token: 256 random bits after a prefix that secret scanners recognize. */
export const newToken = (prefix: string) => `${prefix}${randomBytes(32).toString('base64url')}`;

/** Returns the SHA-256 that is stored for a token. A token has 256 random bits, so a fast hash is safe. */
export const hashToken = (token: string) => hash('sha256', token, 'buffer');
