import { ConnectError, invalidRequest } from '@connect-embed/contract';
import { sql } from 'kysely';
import { canSendMail } from '../../config.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../lib/id.ts';
import { enqueueEmail } from '../../mail/queue.ts';
import type { WorkerDeps } from '../deps.ts';
import { addDonor, findDonation, type StoredDonation } from './add-donor.ts';
import { correctDonor } from './correct-donor.ts';
import { recordDonorChange } from './donor-changes.ts';
import {
  findDonorByEmail,
  findEditableDonor,
  lockDonor,
  requireDonorEditor,
  type ActingMember,
} from './find-donor.ts';

type ResendDeps = Pick<WorkerDeps, 'db' | 'processor' | 'mailConfig'>;

/** Maximum number of receipts of one donation in 24 hours, including the first one. */
const MAX_RECEIPTS_PER_DAY = 5;

/** Whether a member may send receipts again: owners, and admins with `donations:read`. */
export const canResendReceipt = ({
  role,
  permissions,
}: Pick<ActingMember, 'role' | 'permissions'>) =>
  role !== 'member' && permissions.has('donations:read');

/** Returns the reason why the receipt of a donation cannot be sent; undefined if it can. */
export function receiptBlockedReason(
  { mailConfig }: Pick<ResendDeps, 'mailConfig'>,
  { remaining_amount_cents, contact_id, donor_email, donor_name }: StoredDonation,
): string | undefined {
  if (!canSendMail(mailConfig)) return 'No mail server is set up, so no receipt can be sent.';
  if (remaining_amount_cents === 0)
    return 'All of this donation was refunded or disputed, so it has no receipt.';
  // Only erasing removes both from the donation of a donor.
  const isErased = contact_id !== null && donor_email === null && donor_name === null;
  return isErased ? 'The data of this donor was erased, so no receipt can be sent.' : undefined;
}

/**
 * Queues the receipt of a donation again. A new address is first saved as that of the donor, and so is
 * the address of a donation without a donor: both need `donors:read`.
 *
 * @param recipient.email where the receipt is sent
 * @param recipient.donorId the donor who has this address, as the member confirmed: only needed for a
 *   donation without a donor
 * @throws {ConnectError} `forbidden`, `not_found`, `invalid_request` with the param `email`, `conflict`
 *   after too many receipts, if no mail can be sent, or if the donor was erased
 */
export async function resendReceipt(
  deps: ResendDeps,
  member: ActingMember,
  donationId: string,
  { email, donorId: confirmedId }: { email: string | null; donorId?: string },
): Promise<void> {
  if (!canResendReceipt(member))
    throw new ConnectError('forbidden', 'Only owners and admins can send receipts.');
  if (!email) throw invalidRequest('email', 'is required.');
  const donation = await findDonation(deps.db, member.organizationId, donationId);
  const blockedReason = receiptBlockedReason(deps, donation);
  if (blockedReason) throw new ConnectError('conflict', blockedReason);
  await requireFewReceipts(deps.db, donation);
  const isNewAddress = email.toLowerCase() !== donation.donor_email?.toLowerCase();
  if (donation.contact_id) {
    const { first_name, last_name } = await findEditableDonor(
      deps.db,
      member.organizationId,
      donation.contact_id,
    );
    if (isNewAddress)
      await correctDonor(deps, member, donation.contact_id, { first_name, last_name, email });
  } else {
    requireDonorEditor(member);
    const owner = await findDonorByEmail(deps.db, member.organizationId, email);
    if (owner && owner.id !== confirmedId)
      throw invalidRequest('email', 'belongs to a donor. Confirm that this is their donation.');
  }
  await deps.db.transaction().execute(async (tx) => {
    // The donor is locked before the donation, as everywhere.
    const donorId = donation.contact_id ?? (await addDonor(tx, donation, email));
    await lockDonor(tx, member.organizationId, donorId);
    await lockDonation(tx, donation);
    // The donor may have had this address before, and another one with this donation, after a merge.
    if (isNewAddress) await setAddress(tx, donation, email);
    await requireFewReceipts(tx, donation);
    const { organizationId } = member;
    await enqueueEmail(tx, { kind: 'receipt', organizationId, donationId, occasion: newId('dch') });
    await recordDonorChange(tx, member, { donorId, type: 'receipt_sent', donationId });
  });
}

/** Locks the donation, so that simultaneous requests cannot exceed the limit. */
const lockDonation = (tx: Db, { id, organization_id }: StoredDonation) =>
  forOrganization(tx, organization_id)
    .selectFrom('donation')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .execute();

const setAddress = (tx: Db, { id, organization_id }: StoredDonation, donor_email: string | null) =>
  forOrganization(tx, organization_id)
    .updateTable('donation')
    .set({ donor_email })
    .where('id', '=', id)
    .execute();

/** @throws {ConnectError} `conflict` if the receipt was sent as often as allowed */
async function requireFewReceipts(db: Db, { id, organization_id }: StoredDonation): Promise<void> {
  const { count } = await forOrganization(db, organization_id)
    .selectFrom('mail')
    .where('donation_id', '=', id)
    .where('kind', '=', 'receipt')
    .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  if (count < MAX_RECEIPTS_PER_DAY) return;
  const text = `This receipt was already sent ${count} times in the last 24 hours. Try again tomorrow.`;
  throw new ConnectError('conflict', text);
}
