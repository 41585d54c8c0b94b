import { invalidRequest } from '@connect-embed/contract';
import type { Db } from '../db/schema.ts';
import { hashToken, newId, newToken } from '../lib/id.ts';

const CLIENT_SECRET_PREFIX = 'gbs_';
const MAX_REDIRECT_URIS = 10;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface OauthApp {
  /** The OAuth `client_id`. */
  id: string;
  name: string;
  redirectUris: string[];
  personId: string;
  createdAt: Date;
}

/**
 * Registers an OAuth app of a developer (spec: OAuth 2.0 authorization code flow, 1).
 *
 * @returns the id and the client secret, which is not stored and cannot be shown again
 * @throws {ConnectError} `invalid_request` for `name` or `redirect_uris`
 */
export async function createApp(
  db: Db,
  app: { personId: string; name: string; redirectUris: readonly string[] },
): Promise<{ id: string; secret: string }> {
  const id = newId('app');
  const secret = newToken(CLIENT_SECRET_PREFIX);
  await db
    .insertInto('oauth_app')
    .values({
      id,
      person_id: app.personId,
      name: checkName(app.name),
      secret_hash: hashToken(secret),
      redirect_uris: checkRedirectUris(app.redirectUris),
    })
    .execute();
  return { id, secret };
}

/**
 * Changes the name and redirect URIs of an app.
 *
 * @returns false if the person has no such app
 */
export async function updateApp(
  db: Db,
  app: { id: string; personId: string; name: string; redirectUris: readonly string[] },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_app')
    .set({ name: checkName(app.name), redirect_uris: checkRedirectUris(app.redirectUris) })
    .where('id', '=', app.id)
    .where('person_id', '=', app.personId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Creates a new client secret. The old one becomes invalid immediately.
 *
 * @returns undefined if the person has no such app
 */
export async function rotateAppSecret(
  db: Db,
  app: { id: string; personId?: string },
): Promise<string | undefined> {
  const secret = newToken(CLIENT_SECRET_PREFIX);
  let update = db
    .updateTable('oauth_app')
    .set({ secret_hash: hashToken(secret) })
    .where('id', '=', app.id);
  if (app.personId) update = update.where('person_id', '=', app.personId);
  const { numUpdatedRows } = await update.executeTakeFirst();
  return numUpdatedRows > 0n ? secret : undefined;
}

/**
 * Deletes an app with all its tokens, for all organizations.
 *
 * @returns false if the person has no such app
 */
export async function deleteApp(db: Db, app: { id: string; personId: string }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth_app')
    .where('id', '=', app.id)
    .where('person_id', '=', app.personId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Lists the apps of one developer, or all apps, newest first. */
export async function listApps(db: Db, personId?: string): Promise<OauthApp[]> {
  let query = db.selectFrom('oauth_app').selectAll().orderBy('created_at', 'desc');
  if (personId) query = query.where('person_id', '=', personId);
  return (await query.execute()).map((row) => ({
    id: row.id,
    name: row.name,
    redirectUris: row.redirect_uris,
    personId: row.person_id,
    createdAt: row.created_at,
  }));
}

function checkName(text: string): string {
  const name = text.trim();
  if (!name || name.length > 100) throw invalidRequest('name', 'must have 1 to 100 characters.');
  return name;
}

/** Redirect URIs are stored as entered, because they are compared as text. */
function checkRedirectUris(uris: readonly string[]): string[] {
  const unique = [...new Set(uris.map((uri) => uri.trim()).filter(Boolean))];
  if (unique.length === 0 || unique.length > MAX_REDIRECT_URIS) {
    throw invalidRequest('redirect_uris', `must have 1 to ${MAX_REDIRECT_URIS} URIs.`);
  }
  for (const uri of unique) checkRedirectUri(uri);
  return unique;
}

function checkRedirectUri(uri: string): void {
  const invalidUri = (text: string) =>
    invalidRequest('redirect_uris', `contains ${uri}, which ${text}`);
  const url = URL.parse(uri);
  if (!url || uri.length > 2000 || /[^\x21-\x7e]/.test(uri))
    throw invalidUri('is not a valid URI.');
  if (uri.includes('#')) throw invalidUri('must not have a fragment.');
  if (url.username || url.password) throw invalidUri('must not contain a user name or password.');
  const isLoopback = url.protocol === 'http:' && LOOPBACK.has(url.hostname);
  if (url.protocol !== 'https:' && !isLoopback)
    throw invalidUri('must use https, or http on localhost.');
}
