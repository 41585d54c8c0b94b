import type { Scope } from '@connect-embed/contract';
import { heldScopes, type Membership } from './membership.ts';
import type { Role } from '../db/tables/users.ts';

/** The current or intended role of a member, with its permissions. */
export interface RolePermissions {
  role: Role;
  /** Scopes of an admin. Owners hold all scopes, plain members none. */
  permissions: readonly string[];
}

/**
 * Returns whether a member may grant or take away a role with its permissions. An owner may always,
 * an admin only if it includes no scope beyond their own, and a plain member never. Nobody can
 * therefore grant more than they hold.
 */
export function mayManage(
  { role, permissions }: Pick<Membership, 'role' | 'permissions'>,
  target: RolePermissions,
): boolean {
  if (role === 'owner') return true;
  if (role === 'member' || target.role === 'owner') return false;
  return [...heldScopes(target.role, target.permissions)].every((scope: Scope) =>
    permissions.has(scope),
  );
}
