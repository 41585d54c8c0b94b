import { COMPONENT_SCOPE, type Component, type Mask, type Scope } from '@connect-embed/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/schema.ts';
import { effectiveScopes } from '../oauth/active-grants.ts';
import type { Role } from '../users/roles.ts';
import type { Credential } from '../http/credential.ts';
import { ORGANIZATION_COLUMNS, toOrganization } from '../http/credential-organization.ts';
import { acrossOrganizations } from '../db/organization-scope.ts';

/** Selects a session that has not expired, with the valid key or grant that created it. */
const selectSession = (db: Db, table: 'embed_session' | 'component_session') =>
  acrossOrganizations(db)
    .selectFrom(`${table as 'component_session'} as session`)
    .innerJoin('organization', 'organization.id', 'session.organization_id')
    .leftJoin('api_key', (join) =>
      join.onRef('api_key.id', '=', 'session.api_key_id').on('api_key.revoked_at', 'is', null),
    )
    .leftJoin('oauth_grant as granted', 'granted.id', 'session.grant_id')
    .leftJoin('oauth_connection as connection', (join) =>
      join
        .onRef('connection.id', '=', 'granted.connection_id')
        .on('connection.revoked_at', 'is', null),
    )
    .leftJoin('membership', (join) =>
      join
        .onRef('membership.person_id', '=', 'granted.person_id')
        .onRef('membership.organization_id', '=', 'connection.organization_id'),
    )
    .where('session.expires_at', '>', sql<Date>`now()`)
    .where((eb) => eb.or([eb('api_key.id', 'is not', null), eb('membership.role', 'is not', null)]))
    .select([
      'session.id',
      'session.api_key_id',
      'session.grant_id',
      'membership.role',
      'membership.permissions',
      ...ORGANIZATION_COLUMNS,
    ]);

const selectEmbedSession = (db: Db, hash: RawBuilder<Buffer>) =>
  selectSession(db, 'embed_session')
    .where('session.token_hash', '=', hash)
    // Requests of an embed session count for the credential that created it. Otherwise creating
    // sessions would multiply the rate limit.
    .select((eb) => eb.fn.coalesce('session.api_key_id', 'connection.id').as('budget_key'));

const selectComponentSession = (db: Db, hash: RawBuilder<Buffer>) =>
  selectSession(db, 'component_session')
    .where('session.token_hash', '=', hash)
    // A component session has its own rate limit, so that people who view tables never block
    // donations.
    .select(['session.components', 'session.masks', 'session.expires_at'])
    .select('session.id as budget_key');

interface ComponentSessionRow extends SessionRow {
  components: string[];
  masks: string[];
  expires_at: Date;
}

type SessionRow = Awaited<ReturnType<ReturnType<typeof selectSession>['execute']>>[number];

/**
 * Defines the lookup of embed sessions. A session may create payments as long as the credential
 * that created it may.
 */
export const EMBED_SESSIONS = { select: selectEmbedSession, read: readEmbedSession };

/**
 * Defines the lookup of component sessions. A session may read its components as long as the
 * credential that created it may.
 */
export const COMPONENT_SESSIONS = {
  select: selectComponentSession,
  read: (row: ComponentSessionRow): Credential => {
    const scopes = row.components
      .map((name) => COMPONENT_SCOPE[name as Component])
      .filter((scope) => !isScopeRevoked(scope, row));
    const masks = new Set(row.masks as Mask[]);
    const session = { ...baseCredential(row), masks, expiresAt: row.expires_at };
    return { ...session, kind: 'component_session', scopes: new Set(scopes) };
  },
};

/**
 * Finds an embed session by its public id. The hosted page uses it, because its visitors must not
 * receive the session token.
 */
export async function findEmbedSessionById(db: Db, id: string): Promise<Credential | undefined> {
  const row = await selectSession(db, 'embed_session')
    .where('session.id', '=', id)
    .executeTakeFirst();
  return row && readEmbedSession(row);
}

/**
 * Finds component sessions by their public ids, to check open live streams. Only sessions that are
 * still valid are returned.
 */
export async function findComponentSessions(db: Db, ids: string[]): Promise<Credential[]> {
  const rows = await selectSession(db, 'component_session')
    .where('session.id', 'in', ids)
    .select(['session.components', 'session.masks', 'session.expires_at'])
    .execute();
  return rows.map(COMPONENT_SESSIONS.read);
}

function readEmbedSession(row: SessionRow): Credential | undefined {
  if (isScopeRevoked('payments:write', row)) return undefined;
  return { ...baseCredential(row), kind: 'embed_session', scopes: new Set() };
}

/** Returns whether the member who approved the app may no longer grant the scope. */
const isScopeRevoked = (
  scope: Scope,
  { role, permissions }: { role: Role | null; permissions: string[] | null },
) =>
  role !== null && effectiveScopes([scope], { role, permissions: permissions ?? [] }).length === 0;

const baseCredential = (row: SessionRow) => ({
  id: row.id,
  organization: toOrganization(row),
  revokedWith: { api_key_id: row.api_key_id, grant_id: row.grant_id },
});
