import type Stripe from 'stripe';
import { callStripe, type Client } from './client.ts';

/**
 * The step that an unpaid payment intent is waiting for. This state determines whether and when the
 * payment intent is canceled, as a defense against card testing.
 */
type IdleState =
  /** No payment method has been tried. */
  | 'no_attempt'
  /**
   * The payment intent waits for the donor: for another card after a decline, for authentication by the bank, or for
   * the confirmation at PayPal.
   */
  | 'card'
  /**
   * The payment intent waits for something that takes days, such as the verification of a bank account or the money of
   * a debit, or has ended.
   */
  | 'not_card';

/** Part of the processor client: payment intents that are not paid yet. */
export const idleIntents = ({ stripe }: Client) => ({
  async retrieveIdleState(id: string, stripeAccount: string): Promise<IdleState> {
    return toIdleState(
      await callStripe(() =>
        stripe.paymentIntents.retrieve(id, { expand: ['payment_method'] }, { stripeAccount }),
      ),
    );
  },

  async isIntentCanceled(id: string, stripeAccount: string): Promise<boolean> {
    const { status } = await callStripe(() =>
      stripe.paymentIntents.retrieve(id, {}, { stripeAccount }),
    );
    return status === 'canceled';
  },
});

/** @param intent with its `payment_method` expanded */
export function toIdleState(
  intent: Pick<
    Stripe.PaymentIntent,
    'status' | 'last_payment_error' | 'next_action' | 'payment_method'
  >,
): IdleState {
  const { status, last_payment_error: error, next_action: action, payment_method: method } = intent;
  switch (status) {
    case 'requires_payment_method':
    case 'requires_confirmation':
      return error ? 'card' : 'no_attempt';
    case 'requires_action': {
      const isCard =
        !action ||
        action.type === 'use_stripe_sdk' ||
        (action.type === 'redirect_to_url' &&
          typeof method === 'object' &&
          (method?.type === 'card' || method?.type === 'paypal'));
      return isCard ? 'card' : 'not_card';
    }
    default:
      return 'not_card';
  }
}
