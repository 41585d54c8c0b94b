import type Stripe from 'stripe';
import type { Database } from '../../db/schema.ts';

type RefundStatus = Database['refund']['status'];
type DisputeState = Database['donation_dispute']['status'];

/** A refund as fetched from Stripe. */
export interface RefundSnapshot {
  id: string;
  amountCents: number;
  status: Exclude<RefundStatus, 'requested'>;
  /** The key of our request in the refund's metadata. Null if it was made at Stripe. */
  idempotencyKey: string | null;
  reason: string | null;
  failureReason: string | null;
  createdAt: Date;
}

/** A dispute as fetched from Stripe. */
export interface DisputeSnapshot {
  id: string;
  amountCents: number;
  /** The amount withdrawn from the balance. 0 after the dispute was won. */
  withdrawnCents: number;
  status: DisputeState;
  reason: string | null;
  evidenceDueAt: Date | null;
  createdAt: Date;
}

type Transaction = Stripe.BalanceTransaction;

/**
 * Name of the metadata field in which Stripe stores the idempotency key of our refund request. The
 * name must never change: a repeated request has to send the same body, and finds the refund of an
 * earlier request by this field.
 */
export const REQUEST_KEY_FIELD = 'wish';

/** Stripe's other statuses, `pending` and `requires_action`, are not final. */
const FINAL_STATUSES: Readonly<Record<string, RefundSnapshot['status']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

export const mapRefunds = (refunds: Stripe.Refund[]): RefundSnapshot[] =>
  refunds.map(({ id, amount, status, reason, failure_reason, created, metadata }) => ({
    id,
    amountCents: amount,
    status: FINAL_STATUSES[status ?? ''] ?? 'submitted',
    idempotencyKey: metadata?.[REQUEST_KEY_FIELD] ?? null,
    reason,
    failureReason: failure_reason ?? (status === 'canceled' ? status : null),
    createdAt: new Date(created * 1000),
  }));

/**
 * Returns true for a refund that reduces the donation, and false if it failed or is only requested. The
 * money of a failed refund is back in the account's balance.
 */
export const countsAsRefunded = ({ status }: { status: RefundStatus }) =>
  status === 'submitted' || status === 'succeeded';

/** Returns the refunded amount in minor units, without refunds that failed. */
export const sumRefunds = (refunds: readonly RefundSnapshot[]) =>
  refunds.filter(countsAsRefunded).reduce((sum, { amountCents }) => sum + amountCents, 0);

/**
 * Maps Stripe's dispute statuses to the states that the dashboard shows. A `warning` is an inquiry
 * of the bank that may become a dispute. A closed inquiry and a prevented dispute count as no dispute.
 */
const DISPUTE_STATES: Readonly<Record<string, DisputeState>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
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
    // An unknown status counts as open, so that a person looks at the dispute.
    status: DISPUTE_STATES[dispute.status] ?? 'open',
    reason: dispute.reason,
    evidenceDueAt: toDate(dispute.evidence_details?.due_by),
    createdAt: new Date(dispute.created * 1000),
  }));

const toDate = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);

/**
 * Returns the amount that a dispute withdrew from the balance. If the balance is in another currency,
 * the withdrawn amount is unknown in the donation's currency, and the full disputed amount is
 * returned instead.
 */
function withdrawnAmount(dispute: Stripe.Dispute, currency: string): number {
  const total = dispute.balance_transactions.reduce((sum, { amount }) => sum - amount, 0);
  const isSameCurrency = dispute.balance_transactions.every(
    (transaction) => transaction.currency === currency,
  );
  if (isSameCurrency) return total;
  return total > 0 ? dispute.amount : 0;
}

/** Money of a payment in the currency of the account's balance, in minor units. */
export interface Settlement {
  currency: string;
  /** The payment before fees. */
  amountCents: number;
  /** Stripe's fees of the payment, its refunds and its disputes. */
  feeCents: number;
  /** The part of `feeCents` that disputes cost. */
  disputeFeeCents: number;
  /** What the payment, its refunds and its disputes added to the balance. */
  netCents: number;
  /** Units of the balance's currency for one unit of the payment's currency; null if they are the same. */
  exchangeRate: number | null;
}

/**
 * Adds up what a payment, its refunds and its disputes did to the account's balance.
 *
 * @returns null if the balance transaction of the payment is not known yet, or if the transactions have different
 *   currencies
 */
export function mapSettlement(
  paymentTransaction: string | Transaction | null,
  refunds: Stripe.Refund[],
  disputes: Stripe.Dispute[],
): Settlement | null {
  if (paymentTransaction === null || typeof paymentTransaction === 'string') return null;
  const { currency, amount, exchange_rate } = paymentTransaction;
  const ofRefunds = refunds
    .flatMap((refund) => [refund.balance_transaction, refund.failure_balance_transaction])
    .filter((value) => typeof value === 'object')
    .filter((value) => value !== null && value !== undefined);
  const ofDisputes = disputes.flatMap((dispute) => dispute.balance_transactions);
  const transactions = [paymentTransaction, ...ofRefunds, ...ofDisputes];
  if (transactions.some((transaction) => transaction.currency !== currency)) return null;
  const sum = (list: Transaction[], name: 'fee' | 'net') =>
    list.reduce((total, transaction) => total + transaction[name], 0);
  return {
    currency,
    amountCents: amount,
    feeCents: sum(transactions, 'fee'),
    disputeFeeCents: sum(ofDisputes, 'fee'),
    netCents: sum(transactions, 'net'),
    exchangeRate: exchange_rate,
  };
}
