import Stripe from 'stripe';
import type { Addresses } from './system.ts';

/** The demo organization's Stripe account. */
export const ACCOUNT = 'acct_harbor_street';

/**
 * Creates the official Stripe client for the sandbox. By default it has the platform's key, and no retries, so that
 * every response is visible.
 */
export function openStripe(
  sandbox: string,
  { key = 'sk_test_sandbox', maxNetworkRetries = 0 } = {},
): Stripe {
  const { hostname: host, port } = new URL(sandbox);
  return new Stripe(key, { host, port, protocol: 'http', maxNetworkRetries, telemetry: false });
}

/** Creates the Stripe client of a donor's browser, which has the publishable key. */
export const openBrowserStripe = (sandbox: string): Stripe =>
  openStripe(sandbox, { key: 'pk_test_sandbox' });

/** Reads the sandbox with the official Stripe client. */
export function createProcessorClient({ sandbox }: Pick<Addresses, 'sandbox'>) {
  const stripe = openStripe(sandbox, { maxNetworkRetries: 2 });
  return {
    /** Every payment intent of the demo organization, newest first. */
    intents: () =>
      stripe.paymentIntents.list({ limit: 100 }, { stripeAccount: ACCOUNT }).autoPagingToArray({
        limit: 10_000,
      }),
    /** Types of the payment methods with which the subscriptions of an account are paid next. */
    subscriptionMethods: async (stripeAccount: string) => {
      const expand = ['data.default_payment_method'];
      const { data } = await stripe.subscriptions.list({ expand }, { stripeAccount });
      return data.map((each) => (each.default_payment_method as Stripe.PaymentMethod).type);
    },
  };
}
