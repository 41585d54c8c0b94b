import { sql } from 'kysely';
import type { Adapter } from 'oidc-provider';
import type { Db } from '../db/database.ts';
import { hashToken } from '../id.ts';
import { selectActiveGrant, effectiveScopes } from './active-grants.ts';
import { EMPTY_ADAPTER } from './empty-adapter.ts';
import type { TokenKind } from './tables.ts';

/** An answer can get lost on its way; for so long the app may ask again with the same token. */
const REFRESH_GRACE_SECONDS = 30;
/** An app that redeems a code twice within this time has stumbled; nobody has stolen anything. */
const CODE_GRACE_SECONDS = 10;

/** Makes the error that an app is told when a code or refresh token cannot be used. */
export type CreateGrantError = (detail: string) => Error;

/** Codes, access tokens and refresh tokens: by their SHA-256, each hanging on its grant. */
export const tokenAdapter = (db: Db, kind: TokenKind, createError: CreateGrantError): Adapter => ({
  ...EMPTY_ADAPTER,

  async upsert(token, { jti: _, grantId, scope, ...payload }, expiresIn = 0) {
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
    // Revoked while the request was on its way.
    if (!result.numInsertedOrUpdatedRows) throw createError('the grant was revoked');
  },

  async find(token) {
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
    const consumed = row.consumed_at && isReplay(kind, row.consumed_at, createError);
    return {
      ...row.payload,
      jti: token,
      grantId: row.grant_id,
      scope: (kind === 'access' ? effectiveScopes(row.scopes, row) : row.scopes).join(' '),
      ...(consumed && { consumed: true }),
    };
  },

  async consume(token) {
    const { numUpdatedRows } = await db
      .updateTable('oauth_token')
      .set({ consumed_at: new Date() })
      .where('token_hash', '=', hashToken(token))
      .where('consumed_at', 'is', null)
      .executeTakeFirst();
    // Of many who redeem one code at once, PostgreSQL lets one through.
    if (kind === 'code' && !numUpdatedRows) throw createError('the code was used');
  },

  async destroy(token) {
    await db.deleteFrom('oauth_token').where('token_hash', '=', hashToken(token)).execute();
  },
});

/**
 * Whether a code or refresh token that was used before is being replayed, which ends its grant.
 *
 * Two cases are no replay. An app whose answer got lost sends its refresh token again, and is
 * answered again. And an app that redeems one code twice, because a browser opened its callback
 * twice, is refused the second time, without losing what the first brought.
 */
function isReplay(kind: TokenKind, consumedAt: Date, createError: CreateGrantError): boolean {
  const secondsAgo = (Date.now() - consumedAt.getTime()) / 1000;
  if (kind === 'refresh') return secondsAgo > REFRESH_GRACE_SECONDS;
  if (secondsAgo <= CODE_GRACE_SECONDS) throw createError('the code was used');
  return true;
}
