import { PAYOUT_STATUSES, type Payout } from '@connect-embed/contract';
import type Stripe from 'stripe';
import type { Client } from './client.ts';

/** A payout as fetched from Stripe. */
export interface PayoutSnapshot {
  id: string;
  amountCents: number;
  currency: string;
  status: Payout['status'];
  arrivalDate: Date;
  createdAt: Date;
  description: string | null;
  statementDescriptor: string | null;
  failureMessage: string | null;
  /** False for a payout that a person made at Stripe, which does not list its entries. */
  automatic: boolean;
  /** The payments, refunds and disputes in the payout. */
  entries: PayoutEntry[];
}

/** The amount that one payment, refund or dispute adds to a payout. */
interface PayoutEntry {
  transactionId: string;
  paymentIntentId: string;
  type: 'donation' | 'refund' | 'dispute';
  /** Negative if the payout is reduced. */
  amountCents: number;
  feeCents: number;
  currency: string;
  createdAt: Date;
}

/** Part of the processor client: payouts to the organization's bank account. */
export const payouts = {
  /**
   * Fetches a payout and its entries.
   *
   * Stripe lists the entries of automatic payouts only. A manual payout is returned without entries.
   */
  async retrievePayout(client: Client, id: string, stripeAccount: string): Promise<PayoutSnapshot> {
    const payout = await client.callStripe(() =>
      client.stripe.payouts.retrieve(id, {}, { stripeAccount }),
    );
    const transactions = payout.automatic ? await listTransactions(client, id, stripeAccount) : [];
    return mapPayout(payout, transactions);
  },
};

/**
 * Lists the balance transactions of a payout. The money of an earlier payout that failed or was canceled is one
 * transaction at Stripe. It is replaced by the transactions of that payout, because they are paid out again.
 */
async function listTransactions(
  client: Client,
  payout: string,
  stripeAccount: string,
): Promise<Stripe.BalanceTransaction[]> {
  const expand = ['data.source'];
  const transactions = await client.listAll((pageParams) =>
    client.stripe.balanceTransactions.list({ ...pageParams, payout, expand }, { stripeAccount }),
  );
  const lists = await Promise.all(
    transactions.map(async (transaction) => {
      const { source } = transaction;
      const isPaidAgain =
        typeof source === 'object' &&
        source?.object === 'payout' &&
        source.id !== payout &&
        source.automatic;
      return isPaidAgain ? listTransactions(client, source.id, stripeAccount) : [transaction];
    }),
  );
  return lists.flat();
}

const mapPayout = (
  payout: Stripe.Payout,
  transactions: Stripe.BalanceTransaction[],
): PayoutSnapshot => ({
  id: payout.id,
  amountCents: payout.amount,
  currency: payout.currency,
  status: payoutStatus(payout),
  arrivalDate: new Date(payout.arrival_date * 1000),
  createdAt: new Date(payout.created * 1000),
  description: payout.description,
  statementDescriptor: payout.statement_descriptor,
  failureMessage: payout.failure_message,
  automatic: payout.automatic,
  entries: transactions.flatMap(toEntry),
});

/** Returns the status of a payout. A status that our API does not know is returned as `pending`. */
export const payoutStatus = ({ status }: Pick<Stripe.Payout, 'status'>): Payout['status'] =>
  PAYOUT_STATUSES.find((payoutStatus) => payoutStatus === status) ?? 'pending';

const TYPES = { charge: 'donation', refund: 'refund', dispute: 'dispute' } as const;

/**
 * Maps a balance transaction to an entry. Returns an empty array if the transaction belongs to no
 * payment, such as Stripe's own fees or the payout itself.
 */
function toEntry(transaction: Stripe.BalanceTransaction): PayoutEntry[] {
  const { source } = transaction;
  if (!source || typeof source === 'string') return [];
  if (source.object !== 'charge' && source.object !== 'refund' && source.object !== 'dispute') {
    return [];
  }
  const intent = source.payment_intent;
  const paymentIntentId = typeof intent === 'string' ? intent : intent?.id;
  if (!paymentIntentId) return [];
  return [
    {
      transactionId: transaction.id,
      paymentIntentId,
      type: TYPES[source.object],
      amountCents: transaction.amount,
      feeCents: transaction.fee,
      currency: transaction.currency,
      createdAt: new Date(transaction.created * 1000),
    },
  ];
}
