import { invalidRequest } from '@connect-embed/contract';
import { sql } from 'kysely';
import { isUniqueViolation } from '../../db/constraint-errors.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import type { DonorChangeDetails } from '../../db/column-types.ts';
import type { WorkerDeps } from '../deps.ts';
import { recordDonorChange } from './donor-changes.ts';
import {
  findDonorByEmail,
  findEditableDonor,
  fullName,
  isPlanOf,
  lockDonorAndPlans,
  requireDonorEditor,
  type ActingMember,
  type DonorRow,
} from './find-donor.ts';
import { updateDonorRecords } from './update-donor-records.ts';

type CorrectionDeps = Pick<WorkerDeps, 'db' | 'processor'>;

/** The corrected name and email address of a donor. */
export interface DonorCorrection {
  first_name: string | null;
  last_name: string | null;
  email: string | null;
}

/**
 * Corrects the name and email address of a donor, in the donor's donations, recurring donations and
 * registrations too, so that receipts, lists and searches agree: docs/decisions/0101-donor-data.md
 *
 * The email address is changed everywhere, because the donor is recognized by it. The name is changed
 * where it was the donor's old name: a donation in another name keeps it.
 *
 * @returns false if nothing was different
 * @throws {ConnectError} `forbidden`, `not_found`, `conflict` if the donor was erased or changed at the
 *   same time, `unavailable` if Stripe fails, `invalid_request` with the param `email` if another donor
 *   has the address, or with `first_name` if nothing would be left of the donor
 */
export async function correctDonor(
  deps: CorrectionDeps,
  member: ActingMember,
  donorId: string,
  correction: DonorCorrection,
): Promise<boolean> {
  requireDonorEditor(member);
  const donor = await findEditableDonor(deps.db, member.organizationId, donorId);
  if (Object.keys(changesOf(donor, correction)).length === 0) return false;
  if (donor.email && !correction.email)
    throw invalidRequest('email', 'must not be empty, because receipts are sent to it.');
  if (!correction.email && !fullName(correction))
    throw invalidRequest('first_name', 'must not be empty, because there is no email address.');
  const owner = await findDonorByEmail(deps.db, donor.organization_id, correction.email);
  if (owner && owner.id !== donor.id) throw addressTaken();
  await updateCustomers(deps, donor, correction);
  await deps.db
    .transaction()
    .execute(async (tx) => {
      const current = await lockDonorAndPlans(tx, donor);
      await saveCorrection(tx, current, correction);
      // Another member may have corrected the name since it was read.
      const details = changesOf(current, correction);
      await recordDonorChange(tx, member, { donorId, type: 'corrected', details });
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? addressTaken() : error;
    });
  return true;
}

const addressTaken = () =>
  invalidRequest(
    'email',
    'belongs to another donor. Two donors cannot have the same email address.',
  );

function changesOf(donor: DonorRow, correction: DonorCorrection): DonorChangeDetails {
  const [before, after] = [fullName(donor), fullName(correction)];
  const isRenamed =
    donor.first_name !== correction.first_name || donor.last_name !== correction.last_name;
  return {
    ...(isRenamed && { name: { before, after } }),
    ...(donor.email !== correction.email && {
      email: { before: donor.email, after: correction.email },
    }),
  };
}

async function saveCorrection(tx: Db, donor: DonorRow, correction: DonorCorrection): Promise<void> {
  const { email } = correction;
  // A form stores the name as it was typed, and the donor's in two parts.
  const typed = (column: string) =>
    sql`lower(regexp_replace(btrim(${sql.ref(column)}), '\\s+', ' ', 'g'))`;
  const newName = (column: string) =>
    sql<
      string | null
    >`case when ${typed(column)} is not distinct from lower(${fullName(donor)}::text)
      then ${fullName(correction)} else ${sql.ref(column)} end`;
  // A correction of the name leaves the records of merged donors their addresses.
  const newEmail = (column: string) =>
    email === donor.email ? sql<string | null>`coalesce(${sql.ref(column)}, ${email})` : email;
  const changed = { donor_email: newEmail('donor_email'), donor_name: newName('donor_name') };
  await updateDonorRecords(tx, donor, {
    donation: changed,
    payment_intent: changed,
    recurring_plan: changed,
    registration: {
      attendee_email: newEmail('attendee_email'),
      attendee_name: newName('attendee_name'),
    },
    donor: { first_name: correction.first_name, last_name: correction.last_name },
  });
  if (email !== donor.email) await changeAddress(tx, donor, email);
}

/** Changes the address of a donor. If it is one of a merged donor, both change places, because both stay known. */
async function changeAddress(
  tx: Db,
  { id, organization_id, email: before }: DonorRow,
  email: string | null,
): Promise<void> {
  const rows = forOrganization(tx, organization_id);
  const other = await rows
    .updateTable('donor')
    .set({ email: null })
    .where('merged_into', '=', id)
    .where('email_key', '=', sql<string>`lower(${email})`)
    .returning('id')
    .executeTakeFirst();
  await rows.updateTable('donor').set({ email }).where('id', '=', id).execute();
  if (other)
    await rows.updateTable('donor').set({ email: before }).where('id', '=', other.id).execute();
}

/**
 * Changes the customers of running recurring donations at Stripe, because Stripe may send emails about
 * failed payments to them. Stripe is called before the correction is saved: if it fails, the member can
 * submit the form again.
 */
async function updateCustomers(
  { db, processor }: CorrectionDeps,
  donor: DonorRow,
  correction: DonorCorrection,
): Promise<void> {
  const customers = await forOrganization(db, donor.organization_id)
    .selectFrom('recurring_plan')
    .innerJoin('organization', 'organization.id', 'recurring_plan.organization_id')
    .where(isPlanOf(donor))
    .where('recurring_plan.status', '<>', 'canceled')
    .select([
      'recurring_plan.processor_customer_id as id',
      'recurring_plan.donor_email',
      'organization.processor_account_id',
    ])
    .execute();
  for (const { id, donor_email, processor_account_id: account } of customers) {
    if (!account) continue;
    const email =
      correction.email === donor.email ? (donor_email ?? donor.email) : correction.email;
    await processor.updateCustomer(id, { name: fullName(correction), email }, account);
  }
}
