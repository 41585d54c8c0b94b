import type Stripe from 'stripe';
import { REFUND_STATES, type DisputeState, type RefundState } from '../money/tables.ts';

/** A refund as the processor tells it. */
export interface RefundSnapshot {
  id: string;
  amountCents: number;
  status: RefundState;
  reason: string | null;
  failureReason: string | null;
  createdAt: Date;
}

/** A dispute as the processor tells it. */
export interface DisputeSnapshot {
  id: string;
  amountCents: number;
  /** What it has taken away by now; 0 after it was given back. */
  withdrawnCents: number;
  status: DisputeState;
  reason: string | null;
  answerUntil: Date | null;
  createdAt: Date;
}

type Transaction = Stripe.BalanceTransaction;

export const mapRefunds = (refunds: Stripe.Refund[]): RefundSnapshot[] =>
  refunds.map(({ id, amount, status, reason, failure_reason, created }) => ({
    id,
    amountCents: amount,
    status: REFUND_STATES.find((state) => state === status) ?? 'pending',
    reason,
    failureReason: failure_reason ?? null,
    createdAt: new Date(created * 1000),
  }));

/** Whether money is on its way back, or there. A refund that failed gave it to us again. */
export const countsAsRefunded = ({ status }: Pick<RefundSnapshot, 'status'>) =>
  status !== 'failed' && status !== 'canceled';

/**
 * What the processor's word for a dispute means to a treasurer. A warning is a bank's question that
 * may become a dispute; one that closed, like a dispute that was prevented, came to nothing.
 */
const DISPUTE_STATES: Readonly<Record<string, DisputeState>> = {
  warning_needs_response: 'open',
  warning_under_review: 'open',
  warning_closed: 'none',
  prevented: 'none',
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'won',
  lost: 'lost',
};

export const mapDisputes = (disputes: Stripe.Dispute[], currency: string): DisputeSnapshot[] =>
  disputes.map((dispute) => ({
    id: dispute.id,
    amountCents: dispute.amount,
    withdrawnCents: withdrawnAmount(dispute, currency),
    // A word that is new to us is a dispute that somebody should look at.
    status: DISPUTE_STATES[dispute.status] ?? 'open',
    reason: dispute.reason,
    answerUntil: toDate(dispute.evidence_details?.due_by),
    createdAt: new Date(dispute.created * 1000),
  }));

const toDate = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);

/** Settled in another currency, only that it is gone is known: then all of it is. */
function withdrawnAmount(dispute: Stripe.Dispute, currency: string): number {
  const total = dispute.balance_transactions.reduce((sum, { amount }) => sum - amount, 0);
  const same = dispute.balance_transactions.every((each) => each.currency === currency);
  if (same) return total;
  return total > 0 ? dispute.amount : 0;
}

/**
 * The processor's fees for a gift and all that followed.
 *
 * @returns null while the gift's own is not known, or where one is in another currency
 */
export function sumFees(
  currency: string,
  paymentTransaction: string | Transaction | null,
  refunds: Stripe.Refund[],
  disputes: Stripe.Dispute[],
): number | null {
  if (paymentTransaction === null || typeof paymentTransaction === 'string') return null;
  const later = [
    ...refunds.flatMap((each) => [each.balance_transaction, each.failure_balance_transaction]),
    ...disputes.flatMap((each) => each.balance_transactions),
  ].filter((each): each is Transaction => each !== null && typeof each === 'object');
  const all = [paymentTransaction, ...later];
  if (all.some((each) => each.currency !== currency)) return null;
  return all.reduce((sum, { fee }) => sum + fee, 0);
}
