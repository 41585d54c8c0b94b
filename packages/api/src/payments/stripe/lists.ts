import type Stripe from 'stripe';
import { batchesOf } from '../../lib/batches.ts';
import { pages, type Client } from './client.ts';
import { mapTransaction, type BalanceTransactionSnapshot } from './payouts.ts';

/** Returns Stripe's filter for objects that were created at or after a time. */
const since = (date: Date) => ({ created: { gte: Math.floor(date.getTime() / 1000) } });

/** Stripe accepts at most 20 event types in one request. */
const MAX_EVENT_TYPES = 20;

/**
 * Part of the processor client: Stripe's lists, which reconciliation compares with our database.
 * All lists except `listEvents` yield their pages, newest items first.
 */
export const lists = ({ stripe }: Client) => ({
  /** Returns the events that an account created since `from`, oldest first. */
  async listEvents(
    stripeAccount: string,
    types: readonly string[],
    from: Date,
  ): Promise<Stripe.Event[]> {
    const listed: Stripe.Event[] = [];
    for (const batch of batchesOf(types, MAX_EVENT_TYPES)) {
      const query = { ...since(from), types: batch };
      const events = pages((pageParams) =>
        stripe.events.list({ ...query, ...pageParams }, { stripeAccount }),
      );
      for await (const page of events) listed.push(...page);
    }
    return listed.sort((first, second) => first.created - second.created);
  },

  listIntents: (stripeAccount: string, from: Date) =>
    pages((pageParams) =>
      stripe.paymentIntents.list(
        { ...since(from), ...pageParams, expand: ['data.latest_charge.balance_transaction'] },
        { stripeAccount },
      ),
    ),

  /** Lists all subscriptions regardless of age, because any of them may have changed. */
  listSubscriptions: (stripeAccount: string) =>
    pages((pageParams) =>
      stripe.subscriptions.list(
        { status: 'all', ...pageParams, expand: ['data.latest_invoice'] },
        { stripeAccount },
      ),
    ),

  listPaidInvoices: (stripeAccount: string, from: Date) =>
    pages((pageParams) =>
      stripe.invoices.list(
        { ...since(from), ...pageParams, status: 'paid', expand: ['data.payments'] },
        { stripeAccount },
      ),
    ),

  listRefunds: (stripeAccount: string, from: Date) =>
    pages((pageParams) =>
      stripe.refunds.list({ ...since(from), ...pageParams }, { stripeAccount }),
    ),

  listDisputes: (stripeAccount: string, from: Date) =>
    pages((pageParams) =>
      stripe.disputes.list({ ...since(from), ...pageParams }, { stripeAccount }),
    ),

  /**
   * Lists the balance transactions. Automatic payouts are left out, because their own transactions are listed with
   * each of them.
   */
  async *listBalanceTransactions(
    stripeAccount: string,
    from: Date,
  ): AsyncGenerator<BalanceTransactionSnapshot[]> {
    const listed = pages((pageParams) =>
      stripe.balanceTransactions.list(
        { ...since(from), ...pageParams, expand: ['data.source'] },
        { stripeAccount },
      ),
    );
    for await (const page of listed) {
      yield page.filter((transaction) => !isAutomaticPayout(transaction)).map(mapTransaction);
    }
  },

  listPayouts: (stripeAccount: string, from: Date) =>
    pages((pageParams) =>
      stripe.payouts.list({ ...since(from), ...pageParams }, { stripeAccount }),
    ),
});

const isAutomaticPayout = ({ reporting_category, source }: Stripe.BalanceTransaction) =>
  reporting_category === 'payout' &&
  typeof source === 'object' &&
  source?.object === 'payout' &&
  source.automatic;
