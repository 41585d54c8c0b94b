import { emailKey } from '@connect-embed/contract/email-address';
import { ConnectError, type Scope } from '@connect-embed/contract';
import { sql } from 'kysely';
import { acrossOrganizations, forOrganization } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import { hashToken, newId, newToken } from '../lib/id.ts';
import { assertSecondFactor } from './assert-second-factor.ts';
import { heldScopes, setMembership } from './membership.ts';
import type { Role } from './roles.ts';
import { mayManage } from './role-permissions.ts';

export const INVITATION_DAYS = 7;
const TOKEN_PREFIX = 'gb_inv_';
const TOKEN_PATTERN = /^gb_inv_[\w-]{43}$/;

/** The recipient of an invitation, with the role and permissions that it offers. */
export interface InvitationInput {
  organizationId: string;
  email: string;
  role: Role;
  permissions: readonly Scope[];
}

/**
 * Creates an invitation to an organization. It replaces an earlier open invitation for the same
 * email address.
 *
 * @returns the token for the invitation link; the database stores only the hash of the token
 * @throws {ConnectError} `conflict` if the person is a member already; `forbidden` if the
 *   organization requires two-step sign-in and the inviter has not turned it on
 */
export async function createInvitation(
  db: Db,
  input: InvitationInput,
  invitedBy: string,
): Promise<string> {
  const { organizationId, role } = input;
  const email = emailKey(input.email);
  const token = newToken(TOKEN_PREFIX);
  await assertSecondFactor(db, { organizationId, personId: invitedBy });
  await db.transaction().execute(async (tx) => {
    const member = await forOrganization(tx, organizationId)
      .selectFrom('membership')
      .innerJoin('person', 'person.id', 'membership.person_id')
      .select('person.name')
      .where('person.email', '=', email)
      .executeTakeFirst();
    if (member) throw new ConnectError('conflict', `${member.name} is already a member.`);
    await forOrganization(tx, organizationId)
      .deleteFrom('invitation')
      .where('email', '=', email)
      .where('accepted_at', 'is', null)
      .execute();
    await forOrganization(tx, organizationId)
      .insertInto('invitation', {
        id: newId('inv'),
        email,
        role,
        permissions: [...input.permissions],
        token_hash: hashToken(token),
        invited_by: invitedBy,
        expires_at: new Date(Date.now() + INVITATION_DAYS * 86_400_000),
      })
      .execute();
  });
  return token;
}

const selectOpenInvitations = (db: Db) =>
  acrossOrganizations(db)
    .selectFrom('invitation')
    .innerJoin('organization', 'organization.id', 'invitation.organization_id')
    .leftJoin('person', 'person.id', 'invitation.invited_by')
    .where('invitation.accepted_at', 'is', null)
    .where(sql<boolean>`invitation.expires_at > now()`)
    .select([
      'invitation.id',
      'invitation.organization_id',
      'organization.name as organization_name',
      'invitation.email',
      'invitation.role',
      'invitation.permissions',
      'person.name as invited_by',
      'invitation.expires_at',
    ]);

export type OpenInvitation = Awaited<
  ReturnType<ReturnType<typeof selectOpenInvitations>['execute']>
>[number];

/** Lists the invitations that are neither accepted nor expired, newest first. */
export const listInvitations = (db: Db, organizationId: string): Promise<OpenInvitation[]> =>
  selectOpenInvitations(db)
    .where('invitation.organization_id', '=', organizationId)
    .orderBy('invitation.created_at', 'desc')
    .execute();

/**
 * Finds the invitation of a link by the token.
 *
 * @returns undefined if the invitation was accepted, was withdrawn or has expired, or if the member
 *   who sent it may no longer grant its role
 */
export async function findInvitation(db: Db, token: string): Promise<OpenInvitation | undefined> {
  if (!TOKEN_PATTERN.test(token)) return undefined;
  const row = await selectOpenInvitations(db)
    .innerJoin('membership', (join) =>
      join
        .onRef('membership.person_id', '=', 'invitation.invited_by')
        .onRef('membership.organization_id', '=', 'invitation.organization_id'),
    )
    .select(['membership.role as inviter_role', 'membership.permissions as inviter_permissions'])
    .where('invitation.token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (!row) return undefined;
  const { inviter_role: role, inviter_permissions, ...invitation } = row;
  const inviter = { role, permissions: heldScopes(role, inviter_permissions) };
  return mayManage(inviter, invitation) ? invitation : undefined;
}

/**
 * Withdraws an open invitation.
 *
 * @returns false if the organization has no open invitation with this id
 */
export async function withdrawInvitation(
  db: Db,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await forOrganization(db, organizationId)
    .deleteFrom('invitation')
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Accepts an invitation and so makes the person a member. If one link is used several times
 * simultaneously, only one use succeeds. An existing membership is not changed, so that an older
 * invitation cannot lower the member's role.
 *
 * @returns false if the invitation is no longer open
 */
export const acceptInvitation = (db: Db, token: string, personId: string): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    if (!(await findInvitation(tx, token))) return false;
    const row = await acrossOrganizations(tx)
      .updateTable('invitation')
      .set({ accepted_at: sql`clock_timestamp()` })
      .where('token_hash', '=', hashToken(token))
      .where('accepted_at', 'is', null)
      .where(sql<boolean>`expires_at > now()`)
      .returningAll()
      .executeTakeFirst();
    if (!row) return false;
    const { organization_id: organizationId, role } = row;
    const existingMembership = await forOrganization(tx, organizationId)
      .selectFrom('membership')
      .select('role')
      .where('person_id', '=', personId)
      .executeTakeFirst();
    if (existingMembership) return true;
    const permissions = row.permissions as Scope[];
    await setMembership(tx, { organizationId, personId, role, permissions });
    return true;
  });
