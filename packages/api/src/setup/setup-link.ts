import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/schema.ts';
import { hashToken, newToken } from '../lib/id.ts';

/** Path of the page behind a setup link. */
export const SETUP_PATH = '/setup';

const TOKEN_PREFIX = 'gb_setup_';
const LIFETIME = sql<Date>`now() + interval '1 hour'`;

/** Returns whether nobody has an account and there is no organization, so that setup can begin. */
export async function isEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_empty: boolean }>`
    select not exists (select from person) and not exists (select from organization) as is_empty`.execute(
    db,
  );
  return rows[0]!.is_empty;
}

/**
 * Creates a setup link, which works once and for an hour. Earlier links stay valid, because several
 * processes that start at once each print one, and any of them may be opened.
 *
 * @returns the URL; the database stores only the hash of its token
 */
export async function createSetupLink(db: Db, baseUrl: string): Promise<string> {
  const token = newToken(TOKEN_PREFIX);
  await db
    .deleteFrom('setup_link')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
  await db
    .insertInto('setup_link')
    .values({ token_hash: hashToken(token), expires_at: LIFETIME })
    .execute();
  return `${baseUrl}${SETUP_PATH}?${new URLSearchParams({ token })}`;
}

/** Invalidates all links, and the browsers in which one was opened. */
export const removeSetupLinks = (db: Db) => db.deleteFrom('setup_link').execute();

/** Returns whether a link can be exchanged, and does not use it up. */
export const isSetupLink = (db: Db, token: string): Promise<boolean> =>
  isUnexpired(db, sql<boolean>`token_hash = ${hashToken(token)} and cookie_hash is null`);

/** Returns whether a cookie came from a setup link and has not expired. */
export const isSetupCookie = (db: Db, cookieToken: string): Promise<boolean> =>
  isUnexpired(db, sql<boolean>`cookie_hash = ${hashToken(cookieToken)}`);

const isUnexpired = async (db: Db, condition: RawBuilder<boolean>): Promise<boolean> =>
  (await db
    .selectFrom('setup_link')
    .select('expires_at')
    .where(condition)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()) !== undefined;

/**
 * Exchanges the token of a link for that of a cookie. A link can be exchanged once, also by requests
 * at the same time.
 *
 * @returns the token for the cookie; undefined if the link was used or has expired
 */
export async function redeemSetupLink(db: Db, token: string): Promise<string | undefined> {
  const cookieToken = newToken(TOKEN_PREFIX);
  const { numUpdatedRows } = await db
    .updateTable('setup_link')
    .set({
      cookie_hash: hashToken(cookieToken),
      expires_at: LIFETIME,
    })
    .where('token_hash', '=', hashToken(token))
    .where('cookie_hash', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? cookieToken : undefined;
}
