import type Stripe from 'stripe';
import type { Client } from './client.ts';

/**
 * What an unpaid payment intent is waiting for. It determines whether and when the payment intent is
 * canceled, as a defense against card testing.
 */
export type IdleState =
  /** The donor has not tried a card. */
  | 'no_attempt'
  /** Another card after a decline, or the authentication by the donor's bank. */
  | 'card'
  /**
   * Anything else: a voucher or bank transfer may be paid days later. Also for ended payment
   * intents.
   */
  | 'not_card';

/** Part of the processor client: payment intents that were created and not paid. */
export const idleIntents = ({ stripe, call }: Client) => ({
  async retrieveIdleState(id: string, stripeAccount: string): Promise<IdleState> {
    return toIdleState(
      await call(() =>
        stripe.paymentIntents.retrieve(id, { expand: ['payment_method'] }, { stripeAccount }),
      ),
    );
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
          method?.type === 'card');
      return isCard ? 'card' : 'not_card';
    }
    default:
      return 'not_card';
  }
}
