import type { Scope } from '@connect-embed/contract';
import { grantableScopes, type Membership, type Role } from './membership.ts';

/** What a member is, or is to become. */
export interface RolePermissions {
  role: Role;
  /** Of an admin. */
  permissions: readonly string[];
}

/**
 * Whether a member may bring somebody into a standing, or out of it: an owner any, an admin those
 * that hold nothing beyond their own, a plain member none. Nobody makes another more than they are.
 */
export function mayManage(
  { role, permissions }: Pick<Membership, 'role' | 'permissions'>,
  other: RolePermissions,
): boolean {
  if (role === 'owner') return true;
  if (role === 'member' || other.role === 'owner') return false;
  return [...grantableScopes(other.role, other.permissions)].every((scope: Scope) =>
    permissions.has(scope),
  );
}
