import { COMPONENT_SCOPE, type Component, type Scope } from '@connect-embed/contract';
import type { Db } from '../db/database.ts';
import { stillGranted } from '../oauth/standing.ts';
import type { Role } from '../users/membership.ts';
import type { Credential } from './credential.ts';
import { ORGANIZATION_COLUMNS, toOrganization } from './organization.ts';

/** An embed session may give as long as whoever opened it may. */
export const findEmbedSession = (db: Db, hash: Buffer) =>
  findEmbedSessionBy(db, 'session.token_hash', hash);

/** The same by its public id, for the hosted page, which keeps the token from its visitors. */
export const findEmbedSessionById = (db: Db, id: string) =>
  findEmbedSessionBy(db, 'session.id', id);

async function findEmbedSessionBy(
  db: Db,
  column: 'session.id' | 'session.token_hash',
  value: string | Buffer,
): Promise<Credential | undefined> {
  const row = await selectSession(db, 'embed_session')
    .where(column, '=', value)
    .select(['session.id', ...COLUMNS])
    .executeTakeFirst();
  if (!row || isLost('payments:write', row)) return undefined;
  return { ...common(row), kind: 'embed_session', scopes: new Set() };
}

/** A component session reads what it names, as long as whoever opened it may. */
export async function findComponentSession(db: Db, hash: Buffer): Promise<Credential | undefined> {
  const row = await selectSession(db, 'component_session')
    .where('session.token_hash', '=', hash)
    .select(['session.id', 'session.components', ...COLUMNS])
    .executeTakeFirst();
  if (!row) return undefined;
  const scopes = row.components
    .map((name) => COMPONENT_SCOPE[name as Component])
    .filter((scope) => !isLost(scope, row));
  return { ...common(row), kind: 'component_session', scopes: new Set(scopes) };
}

const COLUMNS = [
  'session.api_key_id',
  'session.grant_id',
  'connection.id as connection_id',
  'membership.role',
  'membership.permissions',
  ...ORGANIZATION_COLUMNS,
] as const;

/** A session that has time left, together with the key or approval that it was opened with. */
const selectSession = (db: Db, table: 'embed_session' | 'component_session') =>
  db
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
    .where('session.expires_at', '>', new Date())
    .where((eb) =>
      eb.or([eb('api_key.id', 'is not', null), eb('membership.role', 'is not', null)]),
    );

/** Whether the member who approved the app may no longer grant this. */
const isLost = (
  scope: Scope,
  { role, permissions }: { role: Role | null; permissions: string[] | null },
) => role !== null && stillGranted([scope], { role, permissions: permissions ?? [] }).length === 0;

const common = (
  row: { id: string; connection_id: string | null } & Credential['endsWith'] &
    Parameters<typeof toOrganization>[0],
) => ({
  id: row.id,
  organization: toOrganization(row),
  ownerId: row.api_key_id ?? row.connection_id ?? row.id,
  endsWith: { api_key_id: row.api_key_id, grant_id: row.grant_id },
});
