import Stripe from 'stripe';
import type { Addresses } from './system.ts';

/** The demo organization's Stripe account. */
export const ACCOUNT = 'acct_harbor_street';

/** Reads the sandbox with the official Stripe client. */
export function createProcessorClient({ sandbox }: Pick<Addresses, 'sandbox'>) {
  const { hostname, port } = new URL(sandbox);
  const stripe = new Stripe('sk_test_sandbox', { host: hostname, port, protocol: 'http' });
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
