import { ALL_SCOPES } from '@connect-embed/contract';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Db } from '../db/schema.ts';
import { hashToken } from '../lib/id.ts';
import { EMPTY_ADAPTER, tokenAdapter } from './token-adapter.ts';
import { selectActiveGrant, effectiveScopes } from './active-grants.ts';

/**
 * Expiry of a grant, which `oidc-provider` requires. Our grants end only by revocation, so the
 * expiry is ten years away.
 */
const GRANT_SECONDS = 10 * 365 * 86_400;

const SCOPES = ['offline_access', ...ALL_SCOPES];

const toUnixSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

/**
 * Creates the adapters that store the data of the authorization server (library `oidc-provider`) in
 * our tables.
 *
 * Tokens, codes and interaction ids are stored as SHA-256, so that a copy of the database contains
 * no usable secret.
 */
export function createAdapters(db: Db): (model: string) => Adapter {
  const models: Partial<Record<string, Adapter>> = {
    Client: { ...EMPTY_ADAPTER, find: (id) => findClient(db, id) },
    Grant: grantAdapter(db),
    Interaction: interactionAdapter(db),
    AuthorizationCode: tokenAdapter(db, 'code'),
    AccessToken: tokenAdapter(db, 'access'),
    RefreshToken: tokenAdapter(db, 'refresh'),
  };
  // The library's own sign-in sessions are not stored, because `people.ts` manages sessions.
  return (model) => models[model] ?? EMPTY_ADAPTER;
}

async function findClient(db: Db, id: string): Promise<AdapterPayload | undefined> {
  if (id.includes('\0')) return undefined; // PostgreSQL text cannot contain a NUL byte.
  const app = await db.selectFrom('oauth_app').selectAll().where('id', '=', id).executeTakeFirst();
  return (
    app && {
      client_id: app.id,
      client_name: app.name,
      // The hash of the secret. `compareClientSecret` compares it with the hash of the submitted
      // secret.
      client_secret: app.secret_hash.toString('hex'),
      redirect_uris: app.redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
    }
  );
}

const grantAdapter = (db: Db): Adapter => ({
  ...EMPTY_ADAPTER,
  async find(id) {
    const row = await selectActiveGrant(db)
      .where('granted.id', '=', id)
      .select([
        'granted.person_id',
        'granted.scopes',
        'granted.created_at',
        'connection.app_id',
        'membership.role',
        'membership.permissions',
      ])
      .executeTakeFirst();
    if (!row) return undefined;
    const granted = effectiveScopes(row.scopes, row);
    return {
      kind: 'Grant',
      jti: id,
      accountId: row.person_id,
      clientId: row.app_id,
      openid: { scope: granted.join(' ') },
      // Requested scopes that were not granted count as rejected, so that the library does not
      // prompt for them again.
      rejected: { openid: { scope: SCOPES.filter((scope) => !granted.includes(scope)).join(' ') } },
      iat: toUnixSeconds(row.created_at),
      exp: toUnixSeconds(new Date()) + GRANT_SECONDS,
    };
  },
  async destroy(id) {
    await db.deleteFrom('oauth_grant').where('id', '=', id).execute();
  },
});

const interactionAdapter = (db: Db): Adapter => ({
  ...EMPTY_ADAPTER,
  async upsert(uid, { jti: _, returnTo = '', ...payload }, expiresIn = 0) {
    const row = {
      // The URL to return to ends with the interaction id, which must not be stored.
      payload: JSON.stringify({ ...payload, returnTo: returnTo.replace(uid, '') }),
      expires_at: new Date(Date.now() + expiresIn * 1000),
    };
    await db
      .insertInto('oauth_interaction')
      .values({ uid_hash: hashToken(uid), ...row })
      .onConflict((conflict) => conflict.column('uid_hash').doUpdateSet(row))
      .execute();
  },
  async find(uid) {
    const row = await db
      .selectFrom('oauth_interaction')
      .select('payload')
      .where('uid_hash', '=', hashToken(uid))
      .executeTakeFirst();
    if (!row) return undefined;
    return { ...row.payload, jti: uid, returnTo: `${String(row.payload['returnTo'])}${uid}` };
  },
  async destroy(uid) {
    await db.deleteFrom('oauth_interaction').where('uid_hash', '=', hashToken(uid)).execute();
  },
});
