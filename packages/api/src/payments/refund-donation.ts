import { ConnectError, currencyStep, invalidRequest, notFound } from '@connect-embed/contract';
import type { WorkerDeps } from './deps.ts';
import type { RefundSnapshot } from './stripe/map-refunds-disputes.ts';
import { assertSecondFactor } from '../users/assert-second-factor.ts';
import type { Membership } from '../users/membership.ts';
import {
  completeRefundRequest,
  rejectRefundRequest,
  saveRefundRequest,
  type RefundInput,
  type RefundRequest,
} from './refund-requests.ts';
import { findModeOf } from './own-keys/stored-keys.ts';
import { lockPaymentContext, type DonationState, type PaymentContext } from './payment-context.ts';
import { fetchAndSync } from './sync.ts';

type RefundContext = PaymentContext & { donation: DonationState };

/** Whether a member may refund donations: owners, and admins with `donations:read`. */
export const canRefund = ({ role, permissions }: Pick<Membership, 'role' | 'permissions'>) =>
  role !== 'member' && permissions.has('donations:read');

/** Whether a bank has taken the money back and decides. While it only asks, which is an inquiry, a refund is possible. */
export const isMoneyDisputed = ({
  dispute_status,
  disputed_amount_cents,
}: Pick<DonationState, 'dispute_status' | 'disputed_amount_cents'>) =>
  dispute_status === 'open' && disputed_amount_cents > 0;

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
  const { context, request } = await requestRefund(deps, member, input);
  if (request.processorRefundId) {
    return { id: request.processorRefundId, amountCents: input.amountCents };
  }
  const { idempotencyKey } = request;
  const refund = await deps.processor
    .createRefund({
      account: context.account,
      paymentIntentId: context.paymentIntentId,
      amountCents: input.amountCents,
      reason: request.reason,
      metadata: { organization_id: context.organizationId, donation_id: input.donationId },
      idempotencyKey,
    })
    .catch(async (error: unknown) => {
      await rejectRefundRequest(deps.db, context.donation, idempotencyKey, error);
      throw error;
    });
  await completeRefundRequest(deps.db, context.donation, idempotencyKey, refund.id);
  await trySync(deps, context);
  return refund;
}

/**
 * Locks the donation, checks the request and saves it, in one transaction.
 *
 * Stripe may have made a refund for this or another request without our receiving the response.
 * The donation is then fetched first, without a lock, and the request is checked again.
 */
async function requestRefund(
  deps: WorkerDeps,
  member: { organizationId: string; personId: string },
  input: RefundInput,
  isFetched = false,
): Promise<{ context: RefundContext; request: RefundRequest }> {
  const { context, request } = await deps.db.transaction().execute(async (tx) => {
    const locked = await lockPaymentContext(tx, member.organizationId, input.donationId);
    if (!locked) throw notFound('donation', input.donationId);
    const { account, paymentIntentId, donation } = locked;
    if (!account || !paymentIntentId) throw cannotRefund('it was not paid through this service.');
    const livemode = await findModeOf({ db: tx, processor: deps.processor }, member.organizationId);
    if (donation.livemode !== livemode) throw cannotRefund(OTHER_MODE_REASONS[`${livemode}`]);
    const check = () => assertRefundable(donation, input);
    const { personId } = member;
    const request = await saveRefundRequest(tx, donation, { ...input, personId }, isFetched, check);
    return { context: { ...locked, account, paymentIntentId }, request };
  });
  if (request) return { context, request };
  await fetchAndSync(deps, context);
  return await requestRefund(deps, member, input, true);
}

/** Rejects a refund that cannot succeed, before Stripe is called. */
function assertRefundable(
  donation: DonationState,
  { amountCents, refundedBeforeCents }: RefundInput,
): void {
  if (isMoneyDisputed(donation)) {
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

/** Why a donation cannot be refunded with keys of the other mode, by whether the keys are live. */
const OTHER_MODE_REASONS = {
  true: 'it is a test, and your organization uses live keys now. No money moved.',
  false:
    'it was made with live keys, and your organization uses test keys now. Enter the live keys first, or refund it at Stripe.',
};

const cannotRefund = (reason: string) =>
  new ConnectError('conflict', `This donation cannot be refunded: ${reason}`, {
    code: 'refund_not_possible',
  });

/**
 * Shows the refund to the user at once. If this fails, the Stripe event of the refund updates the
 * donation later.
 */
async function trySync(deps: WorkerDeps, context: PaymentContext): Promise<void> {
  try {
    await fetchAndSync(deps, context);
  } catch (err) {
    deps.log.warn(
      { err, donation: context.donation?.id },
      'a refund was created, but could not be fetched yet; its Stripe event will update the donation',
    );
  }
}
