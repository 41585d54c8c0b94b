import type { Card } from '../cards.ts';
import { newId } from '../ids.ts';
import type { PaymentMethod } from '../stripe-types.ts';

export type BillingDetails = PaymentMethod['billing_details'];

/** Creates the payment method of a card in Stripe's format. */
export const newPaymentMethod = (
  created: number,
  card: Card,
  billing_details: BillingDetails,
): PaymentMethod => ({
  id: newId('pm'),
  object: 'payment_method',
  allow_redisplay: 'unspecified',
  billing_details,
  card: {
    ...card,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    display_brand: card.brand,
    funding: 'credit',
    generated_from: null,
    networks: { available: [card.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  },
  created,
  customer: null,
  customer_account: null,
  livemode: false,
  metadata: {},
  type: 'card',
});
