import { sql } from 'kysely';
import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { Database, Db } from '../db/schema.ts';
import { hashToken } from '../lib/id.ts';
import { selectActiveGrant, effectiveScopes } from './active-grants.ts';

type TokenKind = Database['oauth_token']['kind'];

/**
 * Time during which an app may use a replaced refresh token again, because the response with the
 * new token may have been lost.
 */
const REFRESH_GRACE_SECONDS = 30;
/** Time within which a second redemption of a code counts as a mistake of the app, not as theft. */
const CODE_GRACE_SECONDS = 10;

/**
 * Creates the adapter that stores the tokens of one kind (authorization codes, access tokens or
 * refresh tokens) by their SHA-256. Every token references its grant.
 */
export const tokenAdapter = (db: Db, kind: TokenKind): Adapter => ({
  ...EMPTY_ADAPTER,
  upsert: (token, payload, expiresIn) => saveToken(db, kind, token, payload, expiresIn),
  find: (token) => findToken(db, kind, token),
  consume: (token) => consumeToken(db, kind, token),
  destroy: async (token) => {
    await db.deleteFrom('oauth_token').where('token_hash', '=', hashToken(token)).execute();
  },
});

async function saveToken(
  db: Db,
  kind: TokenKind,
  token: string,
  { jti: _, grantId, scope, ...payload }: AdapterPayload,
  expiresIn = 0,
): Promise<void> {
  if (!grantId) throw new Error(`A ${kind} token needs a grant.`);
  const result = await db
    .insertInto('oauth_token')
    .columns(['token_hash', 'kind', 'grant_id', 'scopes', 'payload', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('oauth_grant')
        .where('id', '=', grantId)
        .select([
          eb.val(hashToken(token)).as('token_hash'),
          eb.val(kind).as('kind'),
          'id',
          eb.val(scope?.split(' ') ?? []).as('scopes'),
          sql<string>`${JSON.stringify(payload)}::jsonb`.as('payload'),
          eb.val(new Date(Date.now() + expiresIn * 1000)).as('expires_at'),
        ]),
    )
    .executeTakeFirst();
  // No row was inserted, because the grant was revoked during this request.
  if (!result.numInsertedOrUpdatedRows) throw new errors.InvalidGrant('the grant was revoked');
}

async function findToken(
  db: Db,
  kind: TokenKind,
  token: string,
): Promise<AdapterPayload | undefined> {
  const row = await selectActiveGrant(db)
    .innerJoin('oauth_token as token', 'token.grant_id', 'granted.id')
    .where('token.token_hash', '=', hashToken(token))
    .where('token.kind', '=', kind)
    .select([
      'token.grant_id',
      'token.scopes',
      'token.payload',
      'token.consumed_at',
      'membership.role',
      'membership.permissions',
    ])
    .executeTakeFirst();
  if (!row) return undefined;
  const consumed = row.consumed_at && isReplay(kind, row.consumed_at);
  return {
    ...row.payload,
    jti: token,
    grantId: row.grant_id,
    scope: (kind === 'access' ? effectiveScopes(row.scopes, row) : row.scopes).join(' '),
    ...(consumed && { consumed: true }),
  };
}

async function consumeToken(db: Db, kind: TokenKind, token: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_token')
    .set({ consumed_at: new Date() })
    .where('token_hash', '=', hashToken(token))
    .where('consumed_at', 'is', null)
    .executeTakeFirst();
  // When a code is redeemed several times simultaneously, only one update succeeds.
  if (kind === 'code' && !numUpdatedRows)
    throw new errors.InvalidGrant('the code was already used');
}

/**
 * Returns whether the use of a consumed code or refresh token is a replay, which makes `oidc-provider`
 * revoke the grant.
 *
 * Two cases are not a replay. First, an app that did not receive the response may send its refresh
 * token again and gets a new response. Second, an app that redeems a code twice, because a browser
 * opened its callback twice, gets an error the second time but keeps its first tokens.
 *
 * @throws {InvalidGrant} for a code that was redeemed a moment ago
 */
function isReplay(kind: TokenKind, consumedAt: Date): boolean {
  const secondsAgo = (Date.now() - consumedAt.getTime()) / 1000;
  if (kind === 'refresh') return secondsAgo > REFRESH_GRACE_SECONDS;
  if (secondsAgo <= CODE_GRACE_SECONDS) throw new errors.InvalidGrant('the code was already used');
  return true;
}

/** Adapter for models of `oidc-provider` that are not stored. */
export const EMPTY_ADAPTER: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  // This does nothing, because `oidc-provider` also calls `destroy` of the grant, and deleting its
  // row cascades to its tokens.
  revokeByGrantId: async () => undefined,
};
