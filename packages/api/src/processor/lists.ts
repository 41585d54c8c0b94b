import type Stripe from 'stripe';
import type { Client } from './client.ts';

/** From when on, in the processor's own seconds. */
const since = (date: Date) => ({ created: { gte: Math.floor(date.getTime() / 1000) } });

/** The processor reads at most so many types at once. */
const MAX_EVENT_TYPES = 20;

/** The processor's own lists, to compare ours with. They come page by page, newest first. */
export const lists = ({ stripe, pages }: Client) => ({
  /** What happened at an account since a moment, oldest first. */
  async listEvents(
    stripeAccount: string,
    types: readonly string[],
    from: Date,
  ): Promise<Stripe.Event[]> {
    const found: Stripe.Event[] = [];
    for (let at = 0; at < types.length; at += MAX_EVENT_TYPES) {
      const query = { ...since(from), types: types.slice(at, at + MAX_EVENT_TYPES) };
      const events = pages((after) =>
        stripe.events.list({ ...query, ...after }, { stripeAccount }),
      );
      for await (const event of events) found.push(event);
    }
    return found.sort((first, second) => first.created - second.created);
  },

  listIntents: (stripeAccount: string, from: Date) =>
    pages((after) =>
      stripe.paymentIntents.list(
        { ...since(from), ...after, expand: ['data.latest_charge.balance_transaction'] },
        { stripeAccount },
      ),
    ),

  /** Every plan, however old: any of them may have changed. */
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
