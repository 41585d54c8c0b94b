import { ALL_SCOPES, type Scope } from '@connect-embed/contract';
import type { Db } from '../db/database.ts';

export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** What a person is in an organization. Each permission carries the name of the scope it allows. */
export interface Membership {
  organizationId: string;
  organizationName: string;
  /** The organization's IANA time zone: every date on its pages is in it. */
  timeZone: string;
  role: Role;
  permissions: ReadonlySet<Scope>;
  /** The organization lets only people with two-step sign-in refund. */
  requiresSecondFactor: boolean;
}

/**
 * The scopes that a member may give to a credential (spec: Scopes): an owner all of them, an admin
 * those that they hold, a plain member none.
 */
export function grantableScopes(role: Role, permissions: readonly string[]): Set<Scope> {
  switch (role) {
    case 'owner':
      return new Set(ALL_SCOPES);
    case 'admin':
      return new Set(ALL_SCOPES.filter((scope) => permissions.includes(scope)));
    case 'member':
      return new Set();
  }
}

/** Every organization that a person belongs to, by name. */
export async function membershipsOf(db: Db, personId: string): Promise<Membership[]> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('organization', 'organization.id', 'membership.organization_id')
    .where('membership.person_id', '=', personId)
    .select([
      'organization.id',
      'organization.name',
      'organization.time_zone',
      'organization.require_second_factor',
      'membership.role',
      'membership.permissions',
    ])
    .orderBy('organization.name')
    .execute();
  return rows.map(({ id, name, time_zone, role, permissions, require_second_factor }) => ({
    organizationId: id,
    organizationName: name,
    timeZone: time_zone,
    role,
    permissions: grantableScopes(role, permissions),
    requiresSecondFactor: require_second_factor,
  }));
}

/** Adds a person to an organization, or changes what they are there. */
export async function setMembership(
  db: Db,
  member: {
    organizationId: string;
    personId: string;
    role: Role;
    /** Of an admin; all of them when left out. */
    permissions?: readonly Scope[];
  },
): Promise<void> {
  const { organizationId, personId, role } = member;
  const rolePermissions = { role, permissions: [...(member.permissions ?? ALL_SCOPES)] };
  await db
    .insertInto('membership')
    .values({ organization_id: organizationId, person_id: personId, ...rolePermissions })
    .onConflict((conflict) =>
      conflict.columns(['person_id', 'organization_id']).doUpdateSet(rolePermissions),
    )
    .execute();
}

/** @returns false when the person was no member */
export async function endMembership(
  db: Db,
  organizationId: string,
  personId: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('membership')
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
