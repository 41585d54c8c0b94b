import { ConnectError } from '@connect-embed/contract';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Database, Db } from '../../db/schema.ts';
import { findById } from '../../lib/id.ts';
import type { Membership } from '../../users/membership.ts';

/** A donor with the email addresses by which they are recognized: the own one, and those of merged donors. */
export type DonorRow = Selectable<Database['donor']> & { email_keys: string[] };

const selectDonors = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('donor')
    .selectAll()
    .select(
      sql<string[]>`array(
        select known.email_key from donor as known
        where known.email_key is not null and (known.id = donor.id or known.merged_into = donor.id)
        order by 1)`.as('email_keys'),
    );

/** The member who works on the record of a donor. */
export type ActingMember = Pick<Membership, 'organizationId' | 'role' | 'permissions'> & {
  personId: string;
};

/** The first and last name as one text; null if neither is known. */
export const fullName = ({ first_name, last_name }: Pick<DonorRow, 'first_name' | 'last_name'>) =>
  [first_name, last_name].filter(Boolean).join(' ') || null;

/** Whether a member may correct, export and erase donors: owners, and admins with `donors:read`. */
export const canEditDonors = ({ role, permissions }: Pick<Membership, 'role' | 'permissions'>) =>
  role !== 'member' && permissions.has('donors:read');

/** @throws {ConnectError} `forbidden` */
export function requireDonorEditor(member: ActingMember): void {
  if (canEditDonors(member)) return;
  throw new ConnectError('forbidden', 'Only owners and admins can change the data of a donor.');
}

/** SQL of the id of a donor: of the other one, if this donor was merged into it. */
export const currentDonorId = (id: string) =>
  sql<string>`coalesce((select merged_into from donor as merged where merged.id = ${id}), ${id})`;

/**
 * Finds a donor; with the id of a merged donor, the one into which it was merged.
 *
 * @throws {ConnectError} `not_found`
 */
export const findDonor = (db: Db, organizationId: string, id: string): Promise<DonorRow> =>
  findById('donor', id, selectDonors(db, organizationId).where('id', '=', currentDonorId(id)));

/** Finds the donor with an email address, or into whom the donor with it was merged, in upper or lower case. */
export async function findDonorByEmail(
  db: Db,
  organizationId: string,
  email: string | null,
): Promise<DonorRow | undefined> {
  if (!email) return undefined;
  const found = forOrganization(db, organizationId)
    .selectFrom('donor')
    .select(sql<string>`coalesce(merged_into, id)`.as('id'))
    .where('email_key', '=', sql<string>`lower(${email})`);
  return await selectDonors(db, organizationId).where('id', '=', found).executeTakeFirst();
}

/** Loads the email addresses of the donors who were merged into this one. */
export async function loadOtherEmails(
  db: Db,
  { id, organization_id }: Pick<DonorRow, 'id' | 'organization_id'>,
): Promise<string[]> {
  const rows = await forOrganization(db, organization_id)
    .selectFrom('donor')
    .select('email')
    .where('merged_into', '=', id)
    .orderBy('email')
    .execute();
  return rows.flatMap(({ email }) => email ?? []);
}

/** @throws {ConnectError} `not_found`, or `conflict` if the donor's data was erased */
export async function findEditableDonor(
  db: Db,
  organizationId: string,
  id: string,
): Promise<DonorRow> {
  return requireNotErased(await findDonor(db, organizationId, id));
}

/**
 * Locks a donor until the end of the transaction, so that nothing is added to one that is erased at the
 * same time.
 *
 * @throws {ConnectError} `not_found`, or `conflict` if the donor's data was erased
 */
export async function lockDonor(tx: Db, organizationId: string, id: string): Promise<DonorRow> {
  const rows = forOrganization(tx, organizationId).selectFrom('donor').select('id');
  await rows.where('id', '=', id).forUpdate().execute();
  // A statement that waits for a lock reads other rows as they were before.
  const donor = requireNotErased(
    await findById('donor', id, selectDonors(tx, organizationId).where('id', '=', id)),
  );
  if (donor.merged_into) throw changedMeanwhile();
  return donor;
}

/**
 * Locks the recurring donations of a donor, and then the donor. A renewal locks them in this order: in
 * the other order, each could wait for the other.
 *
 * @param donor as it was read before, when its records were found by the email address
 * @throws {ConnectError} `not_found`, or `conflict` if the donor was erased or has other addresses now
 */
export async function lockDonorAndPlans(tx: Db, donor: DonorRow): Promise<DonorRow> {
  await forOrganization(tx, donor.organization_id)
    .selectFrom('recurring_plan')
    .select('recurring_plan.id')
    .where(isPlanOf(donor))
    .orderBy('recurring_plan.id')
    .forUpdate()
    .execute();
  const current = await lockDonor(tx, donor.organization_id, donor.id);
  if (String(current.email_keys) === String(donor.email_keys)) return current;
  throw changedMeanwhile();
}

const changedMeanwhile = () =>
  new ConnectError('conflict', 'The donor was changed at the same time. Try again.');

function requireNotErased(donor: DonorRow): DonorRow {
  if (donor.erased_at) throw new ConnectError('conflict', 'The data of this donor was erased.');
  return donor;
}

/**
 * SQL of the ids of a donor's recurring donations, who is recognized by email address. The conditions
 * here are unions, because PostgreSQL uses no index for alternatives of which one is a subquery.
 */
const planIdsOf = (donor: DonorRow) =>
  sql`(select plan.id from recurring_plan as plan
    where plan.organization_id = ${donor.organization_id}
      and lower(plan.donor_email) = any(${donor.email_keys})
    union select plan_id from donation where contact_id = ${donor.id} and plan_id is not null)`;

/** SQL condition of the recurring donations of a donor. */
export const isPlanOf = (donor: DonorRow) => sql<boolean>`recurring_plan.id in ${planIdsOf(donor)}`;

/** SQL condition of the emails about a donor's donations, payments and recurring donations. */
export const isMailOf = (donor: DonorRow) =>
  sql<boolean>`mail.id in (
    select of_donation.id from mail as of_donation
      join donation on donation.id = of_donation.donation_id where donation.contact_id = ${donor.id}
    union select of_payment.id from mail as of_payment
      join payment_intent on payment_intent.id = of_payment.payment_intent_id where ${isPaymentOf(donor)}
    union select of_plan.id from mail as of_plan where of_plan.plan_id in ${planIdsOf(donor)})`;

/** SQL condition of a donor's payments that are on their way or were returned, by email address. */
export const isPaymentOf = (donor: DonorRow) =>
  sql<boolean>`(payment_intent.organization_id = ${donor.organization_id}
    and lower(payment_intent.donor_email) = any(${donor.email_keys}))`;

/** SQL condition of the registrations of a donor, who is recognized by email address. */
export const isRegistrationOf = (donor: DonorRow) =>
  sql<boolean>`lower(registration.attendee_email) = any(${donor.email_keys})`;
