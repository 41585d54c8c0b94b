import type Stripe from 'stripe';
import type { Client } from './client.ts';

/** Filter for objects that were created at or after a time. Stripe counts in seconds. */
const since = (date: Date) => ({ created: { gte: Math.floor(date.getTime() / 1000) } });

/** Stripe accepts at most 20 event types in one request. */
const MAX_EVENT_TYPES = 20;

/**
 * Part of the processor client: Stripe's lists, which reconciliation compares with our database.
 * Except for events they are read page by page, newest first.
 */
export const lists = ({ stripe, pages }: Client) => ({
  /** Returns the events of an account since a time, oldest first. */
  async listEvents(
    stripeAccount: string,
    types: readonly string[],
    from: Date,
  ): Promise<Stripe.Event[]> {
    const listed: Stripe.Event[] = [];
    for (let offset = 0; offset < types.length; offset += MAX_EVENT_TYPES) {
      const query = { ...since(from), types: types.slice(offset, offset + MAX_EVENT_TYPES) };
      const events = pages((after) =>
        stripe.events.list({ ...query, ...after }, { stripeAccount }),
      );
      for await (const event of events) listed.push(event);
    }
    return listed.sort((first, second) => first.created - second.created);
  },

  listIntents: (stripeAccount: string, from: Date) =>
    pages((after) =>
      stripe.paymentIntents.list(
        { ...since(from), ...after, expand: ['data.latest_charge.balance_transaction'] },
        { stripeAccount },
      ),
    ),

  /** Lists all subscriptions regardless of age, because any of them may have changed. */
  listSubscriptions: (stripeAccount: string) =>
    pages((after) => stripe.subscriptions.list({ status: 'all', ...after }, { stripeAccount })),

  listPaidInvoices: (stripeAccount: string, from: Date) =>
    pages((after) =>
      stripe.invoices.list(
        { ...since(from), ...after, status: 'paid', expand: ['data.payments'] },
        { stripeAccount },
      ),
    ),

  listRefunds: (stripeAccount: string, from: Date) =>
    pages((after) => stripe.refunds.list({ ...since(from), ...after }, { stripeAccount })),

  listDisputes: (stripeAccount: string, from: Date) =>
    pages((after) => stripe.disputes.list({ ...since(from), ...after }, { stripeAccount })),

  listPayouts: (stripeAccount: string, from: Date) =>
    pages((after) => stripe.payouts.list({ ...since(from), ...after }, { stripeAccount })),
});
