import { isScope } from '@connect-embed/contract';
import type { Db } from '../db/schema.ts';
import { heldScopes } from '../users/membership.ts';

/**
 * Selects a grant with the member who approved it and its organization. There is no row if the
 * connection was revoked or the member has left.
 */
export const selectActiveGrant = (db: Db) =>
  db
    .selectFrom('oauth_grant as granted')
    .innerJoin('oauth_connection as connection', 'connection.id', 'granted.connection_id')
    .innerJoin('organization', 'organization.id', 'connection.organization_id')
    .innerJoin('membership', (join) =>
      join
        .onRef('membership.person_id', '=', 'granted.person_id')
        .onRef('membership.organization_id', '=', 'connection.organization_id'),
    )
    .where('connection.revoked_at', 'is', null);

/** Reduces granted scopes to those that the approving member may grant now (spec: Scopes). */
export function effectiveScopes(
  scopes: readonly string[],
  member: { role: Parameters<typeof heldScopes>[0]; permissions: readonly string[] },
): string[] {
  const allowed = heldScopes(member.role, member.permissions);
  return scopes.filter((scope) => !isScope(scope) || allowed.has(scope));
}
