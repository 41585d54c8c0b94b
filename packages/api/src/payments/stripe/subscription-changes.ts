import { allowedMethodTypes, methodOptions } from '@connect-embed/contract';
import Stripe from 'stripe';
import { callStripe, type Client } from './client.ts';
import { ignoreCode, processorUnavailable } from './errors.ts';
import { requireCurrencyStep } from './intents.ts';
import { retryWithNewKey } from './retry-with-new-key.ts';
import { idOf } from './subscriptions.ts';
import {
  intervalOf,
  isFirstPaymentReturned,
  type SubscriptionFrequency,
} from './map-subscription.ts';

/** Identifies a subscription at Stripe. */
export interface SubscriptionTarget {
  subscriptionId: string;
  customerId: string;
  stripeAccount: string;
}

/**
 * Part of the processor client: changes of a donor's subscription. Each change is idempotent. Fetch
 * the changed subscription with `retrieveSubscription`.
 */
export const subscriptionChanges = ({ stripe }: Client) => ({
  /**
   * Changes the amount from the next payment on, without proration for the current period.
   *
   * @param to.feeCoverCents the part of the amount that covers the card fee. With 0, later amounts cover no fee either.
   */
  async changeSubscriptionAmount(
    { subscriptionId, stripeAccount }: SubscriptionTarget,
    to: {
      currency: string;
      frequency: SubscriptionFrequency;
      amountCents: number;
      feeCoverCents: number;
    },
  ): Promise<void> {
    requireCurrencyStep(to.currency, to.amountCents);
    const { items } = await callStripe(() =>
      stripe.subscriptions.retrieve(subscriptionId, {}, { stripeAccount }),
    );
    const [item] = items.data;
    if (!item) throw processorUnavailable(`The subscription ${subscriptionId} has no items.`);
    const price_data = {
      currency: to.currency,
      product: idOf(item.price.product)!,
      recurring: intervalOf(to.frequency),
      unit_amount: to.amountCents,
    };
    await callStripe(() =>
      stripe.subscriptions.update(
        subscriptionId,
        {
          items: [{ id: item.id, price_data }],
          proration_behavior: 'none',
          // An empty text removes a key.
          metadata: to.feeCoverCents
            ? { fee_cover_cents: String(to.feeCoverCents) }
            : { fee_cover_cents: '', fee_cover: '' },
        },
        { stripeAccount },
      ),
    );
  },

  /** Pauses a subscription. Its invoices are voided, so the donor never has to pay them later. */
  async pauseSubscription({ subscriptionId, stripeAccount }: SubscriptionTarget): Promise<void> {
    const pause_collection = { behavior: 'void' } as const;
    await callStripe(() =>
      stripe.subscriptions.update(subscriptionId, { pause_collection }, { stripeAccount }),
    );
  },

  async resumeSubscription({ subscriptionId, stripeAccount }: SubscriptionTarget): Promise<void> {
    await callStripe(() =>
      stripe.subscriptions.update(subscriptionId, { pause_collection: '' }, { stripeAccount }),
    );
  },

  /** Cancels a subscription immediately. A subscription that has already ended causes no error. */
  async cancelSubscription({ subscriptionId, stripeAccount }: SubscriptionTarget): Promise<void> {
    await callStripe(async () => {
      await stripe.subscriptions
        .cancel(subscriptionId, {}, { stripeAccount })
        .catch(ignoreCode('resource_missing'));
    });
  },

  /**
   * Cancels a subscription whose first payment was never made, and voids its invoice, so that no
   * further card can be tried. A subscription that has been paid in the meantime is not changed.
   */
  async cancelIncompleteSubscription(subscriptionId: string, stripeAccount: string): Promise<void> {
    const { status, latest_invoice } = await callStripe(() =>
      stripe.subscriptions.retrieve(subscriptionId, {}, { stripeAccount }),
    );
    const invoice = idOf(latest_invoice);
    if (status !== 'incomplete' || !invoice) return;
    await callStripe(async () => {
      await stripe.invoices.voidInvoice(invoice, {}, { stripeAccount });
      await stripe.subscriptions
        .cancel(subscriptionId, {}, { stripeAccount })
        .catch(ignoreCode('resource_missing'));
    });
  },

  /**
   * Creates a setup intent, with which the browser saves a card or bank account without charging it.
   *
   * @param offered the payment methods that the organization offers
   * @returns the client secret
   */
  async createSetupIntent(
    { customerId, stripeAccount }: SubscriptionTarget,
    offered: readonly string[],
    metadata: { organization_id: string; plan_id: string },
  ): Promise<string> {
    const allowed = allowedMethodTypes(offered, true);
    const setup = await callStripe(() =>
      stripe.setupIntents.create(
        {
          customer: customerId,
          usage: 'off_session',
          allowed_payment_method_types: allowed,
          payment_method_options: methodOptions(allowed),
          metadata,
        },
        { stripeAccount },
      ),
    );
    if (setup.client_secret) return setup.client_secret;
    throw processorUnavailable('The card processor returned no client secret.');
  },

  /**
   * Cancels a setup intent, so that no further card can be tried on it. Does nothing if the setup
   * intent has succeeded or was canceled.
   */
  async cancelSetupIntent(setupIntentId: string, stripeAccount: string): Promise<void> {
    await callStripe(async () => {
      await stripe.setupIntents
        .cancel(setupIntentId, { cancellation_reason: 'abandoned' }, { stripeAccount })
        .catch(ignoreCode('setup_intent_unexpected_state'));
    });
  },

  /**
   * Finds the id of the donor's latest succeeded setup intent, for callers that do not know the id.
   */
  async findLatestSetupIntent({ customerId: customer, stripeAccount }: SubscriptionTarget) {
    const { data } = await callStripe(() =>
      stripe.setupIntents.list({ customer, limit: 20 }, { stripeAccount }),
    );
    return data.find(({ status }) => status === 'succeeded')?.id;
  },

  /**
   * Makes the payment method of a succeeded setup intent that of the subscription, and pays an overdue invoice
   * with it. If the bank returned the first payment, which leaves no invoice to pay, the subscription starts anew.
   *
   * @returns false if the setup intent has no payment method or belongs to another customer
   */
  async changeSubscriptionCard(
    target: SubscriptionTarget,
    setupIntentId: string,
  ): Promise<boolean> {
    const { subscriptionId, customerId, stripeAccount } = target;
    const setup = await callStripe(() =>
      stripe.setupIntents
        .retrieve(setupIntentId, {}, { stripeAccount })
        .catch(ignoreCode('resource_missing')),
    );
    const default_payment_method = idOf(setup?.payment_method);
    const isOwn = setup?.status === 'succeeded' && idOf(setup.customer) === customerId;
    if (!isOwn || !default_payment_method) return false;
    const subscription = await callStripe(() =>
      stripe.subscriptions.update(
        subscriptionId,
        {
          default_payment_method,
          // Stripe uses no payment method outside the list that the subscription was created with.
          payment_settings: { payment_method_types: '' },
          expand: ['latest_invoice'],
        },
        { stripeAccount },
      ),
    );
    const { latest_invoice: invoice } = subscription;
    if (isFirstPaymentReturned(subscription) && !subscription.pause_collection)
      await startAnew(stripe, subscription, default_payment_method, stripeAccount);
    const isOverdue = subscription.status === 'past_due' || subscription.status === 'unpaid';
    if (isOverdue && invoice && typeof invoice === 'object') {
      if (invoice.status === 'open') await payInvoice(stripe, invoice.id, stripeAccount);
    }
    return true;
  },
});

/**
 * Starts the periods of a subscription anew, so that Stripe creates an invoice and charges the payment method. The
 * page and the event of a setup intent may both do this: the idempotency key makes it one charge.
 */
async function startAnew(
  stripe: Stripe,
  { id, latest_invoice }: Stripe.Subscription,
  default_payment_method: string,
  stripeAccount: string,
): Promise<void> {
  const key = `start anew ${idOf(latest_invoice)} ${default_payment_method}`;
  await retryWithNewKey(key, (idempotencyKey) =>
    callStripe(() =>
      stripe.subscriptions.update(
        id,
        {
          default_payment_method,
          billing_cycle_anchor: { type: 'now' },
          proration_behavior: 'none',
        },
        { stripeAccount, idempotencyKey },
      ),
    ),
  );
}

/**
 * Pays an invoice. Ignores a decline, required authentication by the bank, and an invoice that was
 * already paid: the card has been changed, and Stripe retries the payment and sends events.
 */
async function payInvoice(stripe: Stripe, id: string, stripeAccount: string): Promise<void> {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
  await callStripe(async () => {
    await stripe.invoices.pay(id, {}, { stripeAccount }).catch((error: unknown) => {
      const isRejection =
        error instanceof StripeCardError || error instanceof StripeInvalidRequestError;
      if (!isRejection) throw error;
    });
  });
}
