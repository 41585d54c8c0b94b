import { isScope, ALL_SCOPES, type Scope } from '@connect-embed/contract';
import type { Db } from '../db/database.ts';
import { hashToken, newId, newToken } from '../id.ts';
import { API_KEY_PREFIX } from './credential.ts';

/**
 * Makes an API key (spec: API key).
 *
 * @returns the token too, which is kept nowhere and can never be read again
 */
export async function createApiKey(
  db: Db,
  key: { organizationId: string; name: string; scopes: readonly Scope[] },
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
    })
    .execute();
  return { id, token };
}

/** @returns false when there is no such key, or it was revoked before */
export async function revokeApiKey(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_key')
    .set({ revoked_at: new Date() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
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
