import { isScope, ALL_SCOPES, type Scope } from '@connect-embed/contract';
import type { RawBuilder, Selectable } from 'kysely';
import { acrossOrganizations, forOrganization } from '../db/organization-scope.ts';
import type { Database, Db } from '../db/schema.ts';
import { hashToken, newId, newToken } from '../lib/id.ts';
import { API_KEY_PREFIX, type Credential } from '../http/credential.ts';
import { ORGANIZATION_COLUMNS, toOrganization } from '../http/credential-organization.ts';

interface NewApiKey {
  organizationId: string;
  name: string;
  scopes: readonly Scope[];
  /** Id of the member who creates the key in the dashboard. */
  createdBy?: string;
}

/**
 * Creates an API key (spec: API key).
 *
 * @returns the id and the token, which is not stored and cannot be shown again
 */
export async function createApiKey(db: Db, key: NewApiKey): Promise<{ id: string; token: string }> {
  const token = newToken(API_KEY_PREFIX);
  return { id: await addApiKey(db, key, token), token };
}

/**
 * Stores the hash of an API key that was generated elsewhere.
 *
 * @returns the id of the key
 */
export async function addApiKey(db: Db, key: NewApiKey, token: string): Promise<string> {
  const id = newId('key');
  await forOrganization(db, key.organizationId)
    .insertInto('api_key', {
      id,
      name: key.name,
      token_hash: hashToken(token),
      scopes: [...key.scopes],
      created_by: key.createdBy ?? null,
    })
    .execute();
  return id;
}

type ApiKeyRow = Awaited<ReturnType<ReturnType<typeof selectApiKey>['execute']>>[number];

const selectApiKey = (db: Db, hash: RawBuilder<Buffer>) =>
  acrossOrganizations(db)
    .selectFrom('api_key')
    .innerJoin('organization', 'organization.id', 'api_key.organization_id')
    .where('api_key.token_hash', '=', hash)
    .where('api_key.revoked_at', 'is', null)
    .select(['api_key.id', 'api_key.scopes', 'api_key.id as budget_key', ...ORGANIZATION_COLUMNS]);

/** Defines how `auth/credential-lookup.ts` looks API keys up. */
export const API_KEYS = {
  select: selectApiKey,
  read: (row: ApiKeyRow): Credential => ({
    id: row.id,
    kind: 'api_key',
    organization: toOrganization(row),
    scopes: new Set(row.scopes),
    revokedWith: { api_key_id: row.id, grant_id: null },
  }),
};

/**
 * Revokes an API key. All later requests with the key are rejected.
 *
 * @param organizationId if given, only a key of this organization is revoked
 * @returns false if there is no such key or it was revoked before
 */
export async function revokeApiKey(db: Db, id: string, organizationId?: string): Promise<boolean> {
  let update = acrossOrganizations(db)
    .updateTable('api_key')
    .set({ revoked_at: new Date() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null);
  if (organizationId) update = update.where('organization_id', '=', organizationId);
  const { numUpdatedRows } = await update.executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** An API key as its organization sees it, without the token. */
export interface ApiKey {
  id: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  revokedAt: Date | null;
}

/**
 * Lists the API keys of an organization: first the valid keys, then the revoked keys, both newest
 * first and at most 200 in total.
 */
export async function listApiKeys(db: Db, organizationId: string): Promise<ApiKey[]> {
  const rows = await forOrganization(db, organizationId)
    .selectFrom('api_key')
    .selectAll()
    .orderBy((eb) => eb('revoked_at', 'is not', null))
    .orderBy('created_at', 'desc')
    .limit(200)
    .execute();
  return rows.map(toApiKey);
}

/** @returns the API key of an organization; undefined if there is none with this id */
export async function findApiKey(
  db: Db,
  organizationId: string,
  id: string,
): Promise<ApiKey | undefined> {
  const row = await forOrganization(db, organizationId)
    .selectFrom('api_key')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toApiKey(row);
}

const toApiKey = (row: Selectable<Database['api_key']>): ApiKey => ({
  id: row.id,
  name: row.name,
  scopes: row.scopes,
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
});

/**
 * Parses a list of scopes: `donations:read,donors:read`, or `all`.
 *
 * @throws {Error} naming the unknown scope
 */
export function parseScopes(text: string): Scope[] {
  if (text === 'all') return ALL_SCOPES;
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const unknown = names.find((name) => !isScope(name));
  if (unknown !== undefined) {
    throw new Error(`"${unknown}" is not a scope. Use ${ALL_SCOPES.join(', ')}, or all.`);
  }
  return names.filter(isScope);
}
