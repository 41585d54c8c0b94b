import { PAYOUT_STATUSES, type FeeDetail, type Payout } from '@connect-embed/contract';
import type Stripe from 'stripe';
import { callStripe, listAll, type Client } from './client.ts';
import { idOf } from './subscriptions.ts';

/** A payout as fetched from Stripe. */
export interface PayoutSnapshot {
  id: string;
  livemode: boolean;
  amountCents: number;
  currency: string;
  status: Payout['status'];
  arrivalDate: Date;
  createdAt: Date;
  description: string | null;
  statementDescriptor: string | null;
  failureMessage: string | null;
  /** Number with which banks find the payout. */
  traceId: string | null;
  /** False for a payout that a person made at Stripe, which does not list its transactions. */
  automatic: boolean;
  /** Whether Stripe has listed all transactions. */
  isItemized: boolean;
  transactions: BalanceTransactionSnapshot[];
}

export interface BalanceTransactionSnapshot {
  id: string;
  sourceId: string | null;
  /** The payment of a charge, refund or dispute. */
  paymentIntentId: string | null;
  reportingCategory: string;
  /** Negative if it reduces the balance. */
  amountCents: number;
  feeCents: number;
  feeDetails: FeeDetail[];
  currency: string;
  exchangeRate: number | null;
  availableOn: Date;
  createdAt: Date;
}

/** Part of the processor client: payouts to the organization's bank account. */
export const payouts = (client: Client) => ({
  /**
   * Fetches a payout and its transactions.
   *
   * Stripe lists the transactions of automatic payouts only. A manual or instant payout is returned without any.
   */
  async retrievePayout(id: string, stripeAccount: string): Promise<PayoutSnapshot> {
    const payout = await callStripe(() =>
      client.stripe.payouts.retrieve(id, {}, { stripeAccount }),
    );
    const transactions = payout.automatic ? await listTransactions(client, id, stripeAccount) : [];
    return mapPayout(payout, transactions);
  },
});

/**
 * Lists the balance transactions of a payout. The money of an earlier payout that failed or was canceled is one
 * transaction at Stripe. The transactions of that payout follow it, because they are paid out again; among them is
 * the earlier payout itself, so that the money is counted once.
 */
async function listTransactions(
  client: Client,
  payout: string,
  stripeAccount: string,
): Promise<Stripe.BalanceTransaction[]> {
  const expand = ['data.source'];
  const transactions = await listAll((pageParams) =>
    client.stripe.balanceTransactions.list({ ...pageParams, payout, expand }, { stripeAccount }),
  );
  const paidAgain = await Promise.all(
    transactions.map(async ({ source }) => {
      const isPaidAgain =
        typeof source === 'object' &&
        source?.object === 'payout' &&
        source.id !== payout &&
        source.automatic;
      return isPaidAgain ? await listTransactions(client, source.id, stripeAccount) : [];
    }),
  );
  return [...transactions, ...paidAgain.flat()];
}

const mapPayout = (
  payout: Stripe.Payout,
  transactions: Stripe.BalanceTransaction[],
): PayoutSnapshot => ({
  id: payout.id,
  livemode: payout.livemode,
  amountCents: payout.amount,
  currency: payout.currency,
  status: payoutStatus(payout),
  arrivalDate: new Date(payout.arrival_date * 1000),
  createdAt: new Date(payout.created * 1000),
  description: payout.description,
  statementDescriptor: payout.statement_descriptor,
  failureMessage: payout.failure_message,
  traceId: payout.trace_id?.value ?? null,
  automatic: payout.automatic,
  isItemized: payout.reconciliation_status === 'completed',
  // Stripe also lists the payout itself, as the transaction that reduces the balance.
  transactions: transactions.map(mapTransaction).filter(({ sourceId }) => sourceId !== payout.id),
});

/** Returns the status of a payout. A status that our API does not know is returned as `pending`. */
export const payoutStatus = ({ status }: Pick<Stripe.Payout, 'status'>): Payout['status'] =>
  PAYOUT_STATUSES.find((payoutStatus) => payoutStatus === status) ?? 'pending';

export function mapTransaction(transaction: Stripe.BalanceTransaction): BalanceTransactionSnapshot {
  const { source } = transaction;
  return {
    id: transaction.id,
    sourceId: idOf(source) ?? null,
    paymentIntentId: paymentIntentOf(source),
    reportingCategory: transaction.reporting_category,
    amountCents: transaction.amount,
    feeCents: transaction.fee,
    feeDetails: transaction.fee_details.map(({ amount, currency, type, description }) => ({
      amount_cents: amount,
      currency,
      type,
      description,
    })),
    currency: transaction.currency,
    exchangeRate: transaction.exchange_rate,
    availableOn: new Date(transaction.available_on * 1000),
    createdAt: new Date(transaction.created * 1000),
  };
}

/** Returns the payment of a charge, refund or dispute; null for any other transaction. */
function paymentIntentOf(source: Stripe.BalanceTransaction['source']): string | null {
  if (!source || typeof source === 'string' || !('payment_intent' in source)) return null;
  return idOf(source.payment_intent) ?? null;
}
