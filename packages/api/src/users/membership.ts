import { ALL_SCOPES, type Scope } from '@connect-embed/contract';
import { acrossOrganizations, forOrganization } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import type { Role } from './roles.ts';

/**
 * A person's role and permissions in an organization. Each permission has the name of the scope
 * that it allows.
 */
export interface Membership {
  organizationId: string;
  organizationName: string;
  /** IANA time zone of the organization, in which its dashboard pages show dates. */
  timeZone: string;
  role: Role;
  permissions: ReadonlySet<Scope>;
  /** True if only members with two-step sign-in may change and export data. */
  requiresSecondFactor: boolean;
}

/** A membership with the settings of the organization that pages about its records need. */
export interface MembershipWithSettings extends Membership {
  /** Currency of the organization's amounts, as a lower-case ISO 4217 code. */
  currency: string;
  /** Whether the checklist of the first steps was neither completed nor hidden. */
  isChecklistOpen: boolean;
  /** Mode of the keys with which donors pay; null without an account at Stripe. */
  livemode: boolean | null;
}

/**
 * Returns the scopes that a member may grant to a credential (spec: Scopes): all scopes for an
 * owner, the scopes in `permissions` for an admin, and none for a plain member.
 */
export function heldScopes(role: Role, permissions: readonly string[]): Set<Scope> {
  switch (role) {
    case 'owner':
      return new Set(ALL_SCOPES);
    case 'admin':
      return new Set(ALL_SCOPES.filter((scope) => permissions.includes(scope)));
    case 'member':
      return new Set();
  }
}

/**
 * Loads all memberships of a person, sorted by organization name.
 *
 * @param isPlatformLive mode of an account without own keys
 */
export async function membershipsOf(
  db: Db,
  personId: string,
  isPlatformLive: boolean,
): Promise<MembershipWithSettings[]> {
  const rows = await acrossOrganizations(db)
    .selectFrom('membership')
    .innerJoin('organization', 'organization.id', 'membership.organization_id')
    .leftJoin('stripe_key', 'stripe_key.organization_id', 'organization.id')
    .where('membership.person_id', '=', personId)
    .select([
      'organization.id',
      'organization.name',
      'organization.time_zone',
      'organization.currency',
      'organization.require_second_factor',
      'organization.checklist_closed_at',
      'organization.processor_account_id',
      'stripe_key.livemode',
      'membership.role',
      'membership.permissions',
    ])
    .orderBy('organization.name')
    .execute();
  return rows.map(({ id, name, time_zone, currency, role, permissions, ...settings }) => ({
    organizationId: id,
    organizationName: name,
    timeZone: time_zone,
    currency,
    role,
    permissions: heldScopes(role, permissions),
    requiresSecondFactor: settings.require_second_factor,
    isChecklistOpen: settings.checklist_closed_at === null,
    livemode: settings.processor_account_id === null ? null : (settings.livemode ?? isPlatformLive),
  }));
}

/** Adds a person to an organization, or changes their role and permissions. */
export async function setMembership(
  db: Db,
  member: {
    organizationId: string;
    personId: string;
    role: Role;
    /** Scopes of an admin. Default: all scopes. */
    permissions?: readonly Scope[];
  },
): Promise<void> {
  const { organizationId, personId, role } = member;
  const rolePermissions = { role, permissions: [...(member.permissions ?? ALL_SCOPES)] };
  await forOrganization(db, organizationId)
    .insertInto('membership', { person_id: personId, ...rolePermissions })
    .onConflict((conflict) =>
      conflict.columns(['person_id', 'organization_id']).doUpdateSet(rolePermissions),
    )
    .execute();
}

/**
 * Removes a person from an organization.
 *
 * @returns false if the person was not a member
 */
export async function endMembership(
  db: Db,
  organizationId: string,
  personId: string,
): Promise<boolean> {
  const { numDeletedRows } = await forOrganization(db, organizationId)
    .deleteFrom('membership')
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
