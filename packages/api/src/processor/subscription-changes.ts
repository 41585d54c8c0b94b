import { ConnectError } from '@connect-embed/contract';
import Stripe from 'stripe';
import type { Client } from './client.ts';
import { ignoreCode } from './errors.ts';
import { requireCurrencyStep } from './intents.ts';
import { idOf } from './subscriptions.ts';
import { intervalOf, type SubscriptionFrequency } from './map-subscription.ts';

/** Where a plan is at the processor. */
export interface SubscriptionTarget {
  subscriptionId: string;
  customerId: string;
  stripeAccount: string;
}

/**
 * What a donor does to a plan. Each call sets a state and may be repeated; what came of it is asked
 * for afterwards: `retrieveSubscription`.
 */
export const subscriptionChanges = ({ stripe, call }: Client) => ({
  /**
   * From the next payment on; nothing is charged or given back for the time that runs.
   *
   * @param to.feeCoverCents the part of the amount that covers the card fee
   */
  async changeSubscriptionAmount(
    { subscriptionId, stripeAccount }: SubscriptionTarget,
    to: {
      currency: string;
      frequency: SubscriptionFrequency;
      amountCents: number;
      feeCoverCents?: number;
    },
  ): Promise<void> {
    requireCurrencyStep(to.currency, to.amountCents);
    const { items } = await call(() =>
      stripe.subscriptions.retrieve(subscriptionId, {}, { stripeAccount }),
    );
    const [item] = items.data;
    if (!item) throw new ConnectError('unavailable', `${subscriptionId} is about nothing.`);
    const price_data = {
      currency: to.currency,
      product: idOf(item.price.product)!,
      recurring: intervalOf(to.frequency),
      unit_amount: to.amountCents,
    };
    await call(() =>
      stripe.subscriptions.update(
        subscriptionId,
        {
          items: [{ id: item.id, price_data }],
          proration_behavior: 'none',
          ...(to.feeCoverCents && { metadata: { fee_cover_cents: String(to.feeCoverCents) } }),
        },
        { stripeAccount },
      ),
    );
  },

  /** Invoices of a paused plan are void: what was paused is not asked for later. */
  async pauseSubscription({ subscriptionId, stripeAccount }: SubscriptionTarget): Promise<void> {
    const pause_collection = { behavior: 'void' } as const;
    await call(() =>
      stripe.subscriptions.update(subscriptionId, { pause_collection }, { stripeAccount }),
    );
  },

  async resumeSubscription({ subscriptionId, stripeAccount }: SubscriptionTarget): Promise<void> {
    await call(() =>
      stripe.subscriptions.update(subscriptionId, { pause_collection: '' }, { stripeAccount }),
    );
  },

  /** At once and for good. One that has ended already is fine. */
  async cancelSubscription({ subscriptionId, stripeAccount }: SubscriptionTarget): Promise<void> {
    await call(async () => {
      await stripe.subscriptions
        .cancel(subscriptionId, {}, { stripeAccount })
        .catch(ignoreCode('resource_missing'));
    });
  },

  /**
   * Ends a plan that was never paid for: its first invoice takes no further card. One that has been
   * paid meanwhile goes on.
   */
  async cancelIncompleteSubscription(subscriptionId: string, stripeAccount: string): Promise<void> {
    const { status, latest_invoice } = await call(() =>
      stripe.subscriptions.retrieve(subscriptionId, {}, { stripeAccount }),
    );
    const invoice = idOf(latest_invoice);
    if (status !== 'incomplete' || !invoice) return;
    await call(async () => {
      await stripe.invoices.voidInvoice(invoice, {}, { stripeAccount });
      await stripe.subscriptions
        .cancel(subscriptionId, {}, { stripeAccount })
        .catch(ignoreCode('resource_missing'));
    });
  },

  /** For the browser, which takes a card for later. */
  async createSetupIntent(
    { customerId, stripeAccount }: SubscriptionTarget,
    metadata: { organization_id: string; plan_id: string },
  ): Promise<string> {
    const setup = await call(() =>
      stripe.setupIntents.create(
        {
          customer: customerId,
          usage: 'off_session',
          automatic_payment_methods: { enabled: true },
          metadata,
        },
        { stripeAccount },
      ),
    );
    if (setup.client_secret) return setup.client_secret;
    throw new ConnectError('unavailable', 'The card processor sent no client secret.');
  },

  /** Takes no further card on it. One that has a card, or was closed before, stays as it is. */
  async cancelSetupIntent(setupIntentId: string, stripeAccount: string): Promise<void> {
    await call(async () => {
      await stripe.setupIntents
        .cancel(setupIntentId, { cancellation_reason: 'abandoned' }, { stripeAccount })
        .catch(ignoreCode('setup_intent_unexpected_state'));
    });
  },

  /** The setup that a donor completed last, for whoever only hears that there was one. */
  async findLatestSetupIntent({ customerId: customer, stripeAccount }: SubscriptionTarget) {
    const { data } = await call(() =>
      stripe.setupIntents.list({ customer, limit: 20 }, { stripeAccount }),
    );
    return data.find(({ status }) => status === 'succeeded')?.id;
  },

  /**
   * Makes a card that the browser has set up the plan's own, and pays with it what is overdue.
   *
   * @returns false when there is no such card, or it is another donor's
   */
  async changeSubscriptionCard(
    target: SubscriptionTarget,
    setupIntentId: string,
  ): Promise<boolean> {
    const { subscriptionId, customerId, stripeAccount } = target;
    const setup = await call(() =>
      stripe.setupIntents
        .retrieve(setupIntentId, {}, { stripeAccount })
        .catch(ignoreCode('resource_missing')),
    );
    const default_payment_method = idOf(setup?.payment_method);
    const isOwn = setup?.status === 'succeeded' && idOf(setup.customer) === customerId;
    if (!isOwn || !default_payment_method) return false;
    const subscription = await call(() =>
      stripe.subscriptions.update(
        subscriptionId,
        { default_payment_method, expand: ['latest_invoice'] },
        { stripeAccount },
      ),
    );
    const { latest_invoice: invoice } = subscription;
    const isOverdue = subscription.status === 'past_due' || subscription.status === 'unpaid';
    if (isOverdue && invoice && typeof invoice === 'object') {
      if (invoice.status === 'open') await call(() => pay(invoice.id, stripeAccount));
    }
    return true;

    /**
     * A decline is no failure of ours, nor is a bank that wants to see the donor, or a payment that
     * came first: the card is changed, and the processor tells of the rest and tries again by itself.
     */
    async function pay(id: string, account: string): Promise<void> {
      const options = { stripeAccount: account };
      await stripe.invoices.pay(id, {}, options).catch((error: unknown) => {
        const { StripeCardError, StripeInvalidRequestError: Refused } = Stripe.errors;
        if (!(error instanceof StripeCardError || error instanceof Refused)) throw error;
      });
    }
  },
});
