import { ConnectError, type Scope } from '@connect-embed/contract';
import { sql } from 'kysely';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import { findById } from '../lib/id.ts';
import { connectionEvent, type EnqueueEvent } from '../webhooks/enqueue-event.ts';
import { assertSecondFactor } from './assert-second-factor.ts';
import { endMembership, heldScopes, setMembership, type Membership } from './membership.ts';
import type { Role } from './roles.ts';
import { mayManage, type RolePermissions } from './role-permissions.ts';

/** A member of an organization, as other members see them. */
export interface Member extends RolePermissions {
  permissions: Scope[];
  personId: string;
  name: string;
  email: string;
  memberSince: Date;
  /** True if the member has turned two-step sign-in on. */
  hasSecondFactor: boolean;
}

const ROLE_ORDER: Record<Role, number> = { owner: 0, admin: 1, member: 2 };

/** Lists all members: owners, then admins, then plain members, each sorted by name. */
export async function listMembers(db: Db, organizationId: string): Promise<Member[]> {
  const members = (await selectMembers(db, organizationId).orderBy('person.name').execute()).map(
    toMember,
  );
  return members.sort((first, second) => ROLE_ORDER[first.role] - ROLE_ORDER[second.role]);
}

/**
 * Sets whether members need two-step sign-in to change and export data. Only a member who has it
 * turned on can remove the requirement.
 *
 * @throws {ConnectError} `forbidden` if the person may not remove the requirement
 */
export async function setSecondFactorRequired(
  db: Db,
  { organizationId, personId }: { organizationId: string; personId: string },
  required: boolean,
): Promise<void> {
  if (!required) await assertSecondFactor(db, { organizationId, personId });
  await db
    .updateTable('organization')
    .set({ require_second_factor: required })
    .where('id', '=', organizationId)
    .execute();
}

/**
 * Finds a member of an organization.
 *
 * @throws {ConnectError} `not_found`
 */
export async function findMember(
  db: Db,
  organizationId: string,
  personId: string,
): Promise<Member> {
  const row = await findById(
    'person',
    personId,
    selectMembers(db, organizationId).where('person.id', '=', personId),
  );
  return toMember(row);
}

const selectMembers = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'membership.person_id')
    .select([
      'person.id',
      'person.name',
      'person.email',
      'person.two_factor_enabled',
      'role',
      'permissions',
      'membership.created_at',
    ]);

const toMember = (row: {
  id: string;
  name: string;
  email: string;
  two_factor_enabled: boolean;
  role: Role;
  permissions: string[];
  created_at: Date;
}): Member => ({
  personId: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  // The effective scopes are all scopes for an owner and none for a plain member.
  permissions: [...heldScopes(row.role, row.permissions)],
  memberSince: row.created_at,
  hasSecondFactor: row.two_factor_enabled,
});

interface MemberChange {
  organizationId: string;
  /** The member who makes the change. */
  actorId: string;
  /** The member who is changed; may equal `actorId`. */
  personId: string;
}

/**
 * Changes the role and permissions of a member.
 *
 * @throws {ConnectError} `not_found`; `forbidden` if the organization requires two-step sign-in and
 *   the actor has not turned it on; `conflict` if the actor may not make the change, or no owner
 *   would be left
 */
export const changeMember = (
  db: Db,
  change: MemberChange,
  newPermissions: RolePermissions & { permissions: readonly Scope[] },
) =>
  withTeamLock(db, change, async (tx, { actor, member, ownerCount }) => {
    await assertSecondFactor(tx, { ...change, personId: change.actorId });
    if (!mayManage(actor, member) || !mayManage(actor, newPermissions)) throw notAllowedError();
    if (member.role === 'owner' && newPermissions.role !== 'owner' && ownerCount === 1)
      throw lastOwnerError();
    const { organizationId, personId } = change;
    await setMembership(tx, { organizationId, personId, ...newPermissions });
  });

/**
 * Removes a member. Every member can also remove themselves.
 *
 * The OAuth grants that the member approved are deleted, and an app that nobody else approved is
 * disconnected. API keys belong to the organization and stay valid.
 *
 * @throws {ConnectError} `not_found`; `conflict` if the actor may not remove the member, or no
 *   owner would be left
 */
export const removeMember = (
  { db, enqueue }: { db: Db; enqueue: EnqueueEvent },
  change: MemberChange,
) =>
  withTeamLock(db, change, async (tx, { actor, member, ownerCount }) => {
    const { organizationId, actorId, personId } = change;
    if (actorId !== personId && !mayManage(actor, member)) throw notAllowedError();
    if (member.role === 'owner' && ownerCount === 1) throw lastOwnerError();
    await endMembership(tx, organizationId, personId);
    await revokeGrants(tx, enqueue, { organizationId, personId });
  });

/**
 * Ends the approvals of a member who leaves, and the connections that nobody else has approved. Belongs
 * to the caller's transaction.
 */
async function revokeGrants(
  tx: Db,
  enqueue: EnqueueEvent,
  { organizationId, personId }: { organizationId: string; personId: string },
): Promise<void> {
  const connections = forOrganization(tx, organizationId)
    .selectFrom('oauth_connection')
    .select('id');
  await tx
    .deleteFrom('oauth_grant')
    .where('person_id', '=', personId)
    .where('connection_id', 'in', connections)
    .execute();
  const revoked = await forOrganization(tx, organizationId)
    .updateTable('oauth_connection')
    .set({ revoked_at: new Date() })
    .where('revoked_at', 'is', null)
    .where(
      sql<boolean>`not exists (select from oauth_grant g where g.connection_id = oauth_connection.id)`,
    )
    .returning('id')
    .execute();
  for (const { id } of revoked) await enqueue(tx, connectionEvent(organizationId, id));
}

/**
 * Lists what removing a member affects: the API keys that the member created, which stay valid, and
 * the connected apps that only the member approved, which are disconnected.
 */
export async function removalImpact(db: Db, organizationId: string, personId: string) {
  const keys = await forOrganization(db, organizationId)
    .selectFrom('api_key')
    .select(['id', 'name'])
    .where('created_by', '=', personId)
    .where('revoked_at', 'is', null)
    .orderBy('name')
    .execute();
  const apps = await forOrganization(db, organizationId)
    .selectFrom('oauth_connection')
    .innerJoin('oauth_app as app', 'app.id', 'oauth_connection.app_id')
    .innerJoin('oauth_grant as granted', 'granted.connection_id', 'oauth_connection.id')
    .where('oauth_connection.revoked_at', 'is', null)
    .groupBy(['oauth_connection.id', 'app.name'])
    .having(sql<boolean>`bool_and(granted.person_id = ${personId})`)
    .select(['oauth_connection.id', 'app.name'])
    .orderBy('app.name')
    .execute();
  return { keys, apps };
}

interface TeamState {
  actor: Pick<Membership, 'role' | 'permissions'>;
  member: Member;
  ownerCount: number;
}

/**
 * Runs changes of one team one after the other. Otherwise two owners could remove each other
 * simultaneously.
 */
const withTeamLock = (
  db: Db,
  change: MemberChange,
  operation: (tx: Db, state: TeamState) => Promise<void>,
) =>
  db.transaction().execute(async (tx) => {
    const { organizationId, actorId, personId } = change;
    await sql`select pg_advisory_xact_lock(hashtextextended(${`team of ${organizationId}`}, 0))`.execute(
      tx,
    );
    const { role, permissions } = await findMember(tx, organizationId, actorId);
    const member = await findMember(tx, organizationId, personId);
    const ownerCount = await forOrganization(tx, organizationId)
      .selectFrom('membership')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('role', '=', 'owner')
      .executeTakeFirstOrThrow();
    const actor = { role, permissions: heldScopes(role, permissions) };
    await operation(tx, { actor, member, ownerCount: Number(ownerCount.count) });
  });

const notAllowedError = () =>
  new ConnectError(
    'conflict',
    'Only an owner, or an admin with the same permissions, can do this.',
  );

const lastOwnerError = () =>
  new ConnectError(
    'conflict',
    'An organization needs at least one owner. Make another member an owner first.',
  );
