import { sql, type RawBuilder } from 'kysely';
import type { Credential } from '../http/credential.ts';
import { ORGANIZATION_COLUMNS, toOrganization } from '../http/credential-organization.ts';
import type { Db } from '../db/schema.ts';
import { selectActiveGrant, effectiveScopes } from './active-grants.ts';

type AccessTokenRow = Awaited<ReturnType<ReturnType<typeof selectAccessToken>['execute']>>[number];

const selectAccessToken = (db: Db, hash: RawBuilder<Buffer>) =>
  selectActiveGrant(db)
    .innerJoin('oauth_token as token', 'token.grant_id', 'granted.id')
    .where('token.token_hash', '=', hash)
    .where('token.kind', '=', 'access')
    .where('token.expires_at', '>', sql<Date>`now()`)
    .select([
      'token.scopes',
      'token.grant_id',
      'connection.id',
      'connection.id as budget_key',
      'membership.role',
      'membership.permissions',
      ...ORGANIZATION_COLUMNS,
    ]);

/**
 * Defines how `auth/credential-lookup.ts` looks access tokens up. Access tokens are used exactly
 * like API keys (spec: OAuth 2.0 authorization code flow, 6).
 *
 * The credential is the connected app, so that its rate limit and webhook endpoints stay the same
 * when tokens are refreshed. Its scopes are reduced to those that the member may still grant now.
 */
export const ACCESS_TOKENS = {
  select: selectAccessToken,
  read: (row: AccessTokenRow): Credential => ({
    id: row.id,
    kind: 'oauth_token',
    organization: toOrganization(row),
    scopes: new Set(effectiveScopes(row.scopes, row)),
    revokedWith: { api_key_id: null, grant_id: row.grant_id },
  }),
};
