import { createHash } from 'node:crypto';
import { ConnectError, currencyStep, invalidRequest, notFound } from '@connect-embed/contract';
import type { WorkDeps } from '../env.ts';
import type { Db } from '../db/database.ts';
import type { GiftRefund } from '../processor/after.ts';
import type { RefundReason } from '../processor/refunds.ts';
import { demandSecondFactor } from '../users/demand-second-factor.ts';
import type { Membership } from '../users/membership.ts';
import { askForRefund, isAnotherOpen, refuseRequest, settleRequest } from './refund-requests.ts';
import { syncGift } from './sync-gift.ts';

/** What somebody wants to give back. */
export interface RefundWish {
  donationId: string;
  amountCents: number;
  reason: RefundReason;
  /** For the organization's own people. */
  note: string | null;
  /** What had been returned when they decided. A page that is older than that is refused. */
  returnedBeforeCents: number;
}

/** Who may give money back: owners, and admins who see donations. */
export const mayRefund = ({ role, permissions }: Pick<Membership, 'role' | 'permissions'>) =>
  role !== 'member' && permissions.has('donations:read');

/**
 * Gives a donation back, in part or in full.
 *
 * The processor's key follows from the donation, the amount and what had been returned before: a
 * second press, by whomever, in whatever process, and after whatever crash, is the same refund:
 * docs/decisions/0034-refunds.md
 *
 * @throws {ConnectError} `forbidden`, `not_found`, `invalid_request` naming `amount_cents`,
 * `conflict` where the gift cannot be returned, `unavailable` when the processor fails
 */
export async function refundDonation(
  deps: WorkDeps,
  member: Omit<Membership, 'requiresSecondFactor'> & { personId: string },
  wish: RefundWish,
): Promise<Pick<GiftRefund, 'id' | 'amountCents'>> {
  if (!mayRefund(member)) {
    throw new ConnectError('forbidden', 'Only owners and admins may return a gift.');
  }
  await demandSecondFactor(deps.db, member);
  const donation = await findDonation(deps.db, member.organizationId, wish.donationId);
  // What the processor made of another wish, and could not tell us, counts before this one.
  if (await isAnotherOpen(deps.db, wish)) await readAgain(deps, donation);
  const request = await askForRefund(deps.db, donation, wish, member.personId, async (tx) =>
    check(await findDonation(tx, member.organizationId, wish.donationId), wish),
  );
  if (request.processorRefundId) {
    return { id: request.processorRefundId, amountCents: wish.amountCents };
  }
  const { account, paymentIntentId } = placeOf(donation);
  const refund = await deps.processor
    .createRefund({
      account,
      paymentIntentId,
      amountCents: wish.amountCents,
      reason: request.reason,
      metadata: { organization_id: donation.organization_id, donation_id: donation.id },
      idempotencyKey: createHash('sha256').update(request.key).digest('hex'),
    })
    .catch(async (error: unknown) => {
      await refuseRequest(deps.db, request.key, error);
      throw error;
    });
  await settleRequest(deps.db, request.key, refund.id);
  await showAtOnce(deps, donation);
  return refund;
}

type Refundable = Awaited<ReturnType<typeof findDonation>>;

async function findDonation(db: Db, organizationId: string, id: string) {
  const row = await db
    .selectFrom('donation')
    .innerJoin('organization', 'organization.id', 'donation.organization_id')
    .selectAll('donation')
    .select('organization.processor_account_id')
    .where('donation.organization_id', '=', organizationId)
    .where('donation.id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('donation', id);
  return row;
}

/** What speaks against it, before the processor is asked. */
function check(donation: Refundable, { amountCents, returnedBeforeCents }: RefundWish): void {
  placeOf(donation);
  if (donation.dispute_status === 'open') {
    throw conflict('the donor’s bank disputes it; the money is returned through the dispute.');
  }
  if (donation.dispute_status === 'lost') {
    throw conflict('the donor’s bank has taken it back already.');
  }
  if (donation.refunded_amount_cents !== returnedBeforeCents) {
    throw conflict('something was returned meanwhile. Look at the donation again.');
  }
  const left = donation.amount_cents - donation.refunded_amount_cents;
  if (!Number.isInteger(amountCents) || amountCents < 1) {
    throw invalidRequest('amount_cents', 'must be more than nothing.');
  }
  if (amountCents > left)
    throw invalidRequest('amount_cents', 'is more than is left of the donation.');
  const step = currencyStep(donation.currency);
  if (amountCents % step) {
    throw invalidRequest('amount_cents', `must be a multiple of ${step} in ${donation.currency}.`);
  }
}

function placeOf(donation: Refundable) {
  const { processor_account_id: account, processor_payment_intent_id: id } = donation;
  if (!account || !id) throw conflict('it was not taken through the card processor here.');
  return { account, paymentIntentId: id };
}

const conflict = (why: string) =>
  new ConnectError('conflict', `The gift cannot be returned: ${why}`);

/** The event will say it too; whoever pressed the button should see it now. */
async function showAtOnce(deps: WorkDeps, donation: Refundable): Promise<void> {
  try {
    await readAgain(deps, donation);
  } catch (err) {
    deps.log.warn({ err, donation: donation.id }, 'a refund was made; its event will show it');
  }
}

const readAgain = (deps: WorkDeps, donation: Refundable) =>
  syncGift(deps, { organizationId: donation.organization_id, ...placeOf(donation) });
