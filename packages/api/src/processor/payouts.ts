import { PAYOUT_STATUSES, type Payout } from '@connect-embed/contract';
import type Stripe from 'stripe';
import type { Client } from './client.ts';

/** A deposit as the processor tells it. */
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
  /** What it is made of, as far as payments are concerned. */
  entries: PayoutEntry[];
}

/** What one payment, refund or dispute adds to a deposit. */
export interface PayoutEntry {
  transactionId: string;
  paymentIntentId: string;
  type: 'gift' | 'refund' | 'dispute';
  /** Negative where money went back. */
  amountCents: number;
  feeCents: number;
  currency: string;
  createdAt: Date;
}

/** Deposits to the organization's bank account. */
export const payouts = ({ stripe, call, listAll }: Client) => {
  const listTransactions = (payout: string, stripeAccount: string) => {
    const expand = ['data.source'];
    return listAll((after) =>
      stripe.balanceTransactions.list({ ...after, payout, expand }, { stripeAccount }),
    );
  };

  return {
    /**
     * Asks for a deposit and what it is made of.
     *
     * Only deposits that the processor makes by itself have a list; of one that somebody ordered
     * it does not say which payments are in it.
     */
    async retrievePayout(id: string, stripeAccount: string): Promise<PayoutSnapshot> {
      const payout = await call(() => stripe.payouts.retrieve(id, {}, { stripeAccount }));
      const transactions = payout.automatic ? await listTransactions(id, stripeAccount) : [];
      return mapPayout(payout, transactions);
    },
  };
};

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
  entries: transactions.flatMap(toEntry),
});

/** A word that is new to us is a deposit that has not arrived. */
export const payoutStatus = ({ status }: Pick<Stripe.Payout, 'status'>): Payout['status'] =>
  PAYOUT_STATUSES.find((known) => known === status) ?? 'pending';

const TYPES = { charge: 'gift', refund: 'refund', dispute: 'dispute' } as const;

/** Nothing for what belongs to no payment: the processor's own fees, the deposit itself. */
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
