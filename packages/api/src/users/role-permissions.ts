import type { Scope } from '@connect-embed/contract';
import { heldScopes, type Membership } from './membership.ts';
import type { Role } from './roles.ts';

/** The current or intended role of a member, with its permissions. */
export interface RolePermissions {
  role: Role;
  /** Scopes of an admin. Owners hold all scopes, plain members none. */
  permissions: readonly string[];
}

/**
 * Returns whether a member may grant or withdraw a role with its permissions. Owners may grant and
 * withdraw every role. Admins may do so only for roles below owner whose scopes they all hold.
 * Plain members may not. Nobody can therefore grant more scopes than they hold.
 */
export function mayManage(
  { role, permissions }: Pick<Membership, 'role' | 'permissions'>,
  targetRole: RolePermissions,
): boolean {
  if (role === 'owner') return true;
  if (role === 'member' || targetRole.role === 'owner') return false;
  return [...heldScopes(targetRole.role, targetRole.permissions)].every((scope: Scope) =>
    permissions.has(scope),
  );
}
