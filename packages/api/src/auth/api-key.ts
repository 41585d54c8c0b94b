import { isScope, ALL_SCOPES, type Scope } from '@connect-embed/contract';
import type { RawBuilder } from 'kysely';
import type { Db } from '../db/database.ts';
import { hashToken, newId, newToken } from '../id.ts';
import { API_KEY_PREFIX, type Credential } from './credential.ts';
import { ORGANIZATION_COLUMNS, toOrganization } from './organization.ts';

/**
 * Makes an API key (spec: API key).
 *
 * @returns the token too, which is kept nowhere and can never be read again
 */
export async function createApiKey(
  db: Db,
  key: {
    organizationId: string;
    name: string;
    scopes: readonly Scope[];
    /** The member who makes it in the dashboard. */
    createdBy?: string;
  },
): Promise<{ id: string; token: string }> {
  const token = newToken(API_KEY_PREFIX);
  const id = newId('key');
  await db
    .insertInto('api_key')
    .values({
      id,
      organization_id: key.organizationId,
      name: key.name,
      token_hash: hashToken(token),
      scopes: [...key.scopes],
      created_by: key.createdBy ?? null,
    })
    .execute();
  return { id, token };
}

type ApiKeyRow = Awaited<ReturnType<ReturnType<typeof selectApiKey>['execute']>>[number];

const selectApiKey = (db: Db, hash: RawBuilder<Buffer>) =>
  db
    .selectFrom('api_key')
    .innerJoin('organization', 'organization.id', 'api_key.organization_id')
    .where('api_key.token_hash', '=', hash)
    .where('api_key.revoked_at', 'is', null)
    .select(['api_key.id', 'api_key.scopes', 'api_key.id as budget_key', ...ORGANIZATION_COLUMNS]);

/** The credential itself, and no more than it needs to be. */
export const API_KEYS = {
  select: selectApiKey,
  read: (row: ApiKeyRow): Credential => ({
    id: row.id,
    kind: 'api_key',
    organization: toOrganization(row),
    scopes: new Set(row.scopes),
    ownerId: row.id,
    revokedWith: { api_key_id: row.id, grant_id: null },
  }),
};

/**
 * Ends a key from the next request on.
 *
 * @param organizationId when given, only a key of this organization
 * @returns false when there is no such key, or it was revoked before
 */
export async function revokeApiKey(db: Db, id: string, organizationId?: string): Promise<boolean> {
  let update = db
    .updateTable('api_key')
    .set({ revoked_at: new Date() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null);
  if (organizationId) update = update.where('organization_id', '=', organizationId);
  const { numUpdatedRows } = await update.executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A key as its organization sees it; the key itself is not kept. */
export interface ApiKey {
  id: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  revokedAt: Date | null;
}

/** Keys of an organization, newest first, valid ones before revoked ones. */
export async function listApiKeys(db: Db, organizationId: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_key')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy((eb) => eb('revoked_at', 'is not', null))
    .orderBy('created_at', 'desc')
    .limit(200)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  }));
}

/**
 * Reads scopes as typed: `donations:read,donors:read`, or `all`.
 *
 * @throws {Error} naming what is no scope
 */
export function parseScopes(text: string): Scope[] {
  if (text === 'all') return ALL_SCOPES;
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const unknown = names.find((name) => !isScope(name));
  if (unknown !== undefined) {
    throw new Error(`"${unknown}" is no scope. There are ${ALL_SCOPES.join(', ')}; or all.`);
  }
  return names.filter(isScope);
}
