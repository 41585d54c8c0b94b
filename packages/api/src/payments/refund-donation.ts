import { createHash } from 'node:crypto';
import { ConnectError, currencyStep, invalidRequest, notFound } from '@connect-embed/contract';
import type { WorkerDeps } from './deps.ts';
import type { Db } from '../db/schema.ts';
import type { RefundSnapshot } from './stripe/map-refunds-disputes.ts';
import { assertSecondFactor } from '../users/assert-second-factor.ts';
import type { Membership } from '../users/membership.ts';
import {
  createRefundRequest,
  hasOtherOpenRequest,
  rejectRefundRequest,
  completeRefundRequest,
  type RefundInput,
} from './refund-requests.ts';
import { loadPaymentContext } from './payment-context.ts';
import { fetchAndSync } from './sync.ts';

/** Whether a member may refund donations: owners, and admins with `donations:read`. */
export const canRefund = ({ role, permissions }: Pick<Membership, 'role' | 'permissions'>) =>
  role !== 'member' && permissions.has('donations:read');

/**
 * Refunds a donation in part or in full.
 *
 * The idempotency key at Stripe is derived from the donation, the amount and the amount refunded
 * before. A repeated request is therefore the same refund, even from another user or after a crash:
 * docs/decisions/0034-refunds.md
 *
 * @throws {ConnectError} `forbidden`, `not_found`, `invalid_request` naming `amount_cents`,
 *   `conflict` if the donation cannot be refunded, `unavailable` if Stripe fails
 */
export async function refundDonation(
  deps: WorkerDeps,
  member: Omit<Membership, 'requiresSecondFactor'> & { personId: string },
  input: RefundInput,
): Promise<Pick<RefundSnapshot, 'id' | 'amountCents'>> {
  if (!canRefund(member)) {
    throw new ConnectError('forbidden', 'Only owners and admins can refund a donation.');
  }
  await assertSecondFactor(deps.db, member);
  const donation = await findDonation(deps.db, member.organizationId, input.donationId);
  // Stripe may have made a refund for another request without our receiving the response. Fetch it
  // before the refundable amount is checked.
  if (await hasOtherOpenRequest(deps.db, input)) await syncNow(deps, donation);
  const request = await createRefundRequest(deps.db, donation, input, member.personId, async (tx) =>
    assertRefundable(await findDonation(tx, member.organizationId, input.donationId), input),
  );
  if (request.processorRefundId) {
    return { id: request.processorRefundId, amountCents: input.amountCents };
  }
  const { account, paymentIntentId } = paymentOf(donation);
  const refund = await deps.processor
    .createRefund({
      account,
      paymentIntentId,
      amountCents: input.amountCents,
      reason: request.reason,
      metadata: { organization_id: donation.organization_id, donation_id: donation.id },
      idempotencyKey: createHash('sha256').update(request.key).digest('hex'),
    })
    .catch(async (error: unknown) => {
      await rejectRefundRequest(deps.db, request.key, error);
      throw error;
    });
  await completeRefundRequest(deps.db, request.key, refund.id);
  await trySyncNow(deps, donation);
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

/** Rejects a refund that cannot succeed, before Stripe is called. */
function assertRefundable(
  donation: Refundable,
  { amountCents, refundedBeforeCents }: RefundInput,
): void {
  paymentOf(donation);
  if (donation.dispute_status === 'open') {
    throw cannotRefund(
      'it is disputed. The dispute decides whether the donor gets the money back.',
    );
  }
  if (donation.dispute_status === 'lost') {
    throw cannotRefund('the donor already got the money back through a dispute.');
  }
  if (donation.refunded_amount_cents !== refundedBeforeCents) {
    throw cannotRefund('its refunded amount has changed. Reload the page and try again.');
  }
  const refundableCents = donation.amount_cents - donation.refunded_amount_cents;
  if (!Number.isInteger(amountCents) || amountCents < 1) {
    throw invalidRequest('amount_cents', 'must be greater than zero.');
  }
  if (amountCents > refundableCents)
    throw invalidRequest('amount_cents', 'must not be greater than the amount left to refund.');
  const step = currencyStep(donation.currency);
  if (amountCents % step) {
    throw invalidRequest('amount_cents', `must be a multiple of ${step} in ${donation.currency}.`);
  }
}

function paymentOf(donation: Refundable) {
  const { processor_account_id: account, processor_payment_intent_id: id } = donation;
  if (!account || !id) throw cannotRefund('it was not paid through this service.');
  return { account, paymentIntentId: id };
}

const cannotRefund = (reason: string) =>
  new ConnectError('conflict', `This donation cannot be refunded: ${reason}`, {
    code: 'refund_not_possible',
  });

/**
 * Shows the refund to the user at once. If this fails, the Stripe event of the refund updates the
 * donation later.
 */
async function trySyncNow(deps: WorkerDeps, donation: Refundable): Promise<void> {
  try {
    await syncNow(deps, donation);
  } catch (err) {
    deps.log.warn(
      { err, donation: donation.id },
      'a refund was created, but could not be fetched yet; its Stripe event will update the donation',
    );
  }
}

async function syncNow(deps: WorkerDeps, donation: Refundable) {
  const { account, paymentIntentId } = paymentOf(donation);
  const context = await loadPaymentContext(deps.db, account, paymentIntentId);
  if (context) await fetchAndSync(deps, context);
}
