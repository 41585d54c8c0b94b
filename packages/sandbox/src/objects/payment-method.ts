import type { Card } from '../cards.ts';
import { newId } from '../ids.ts';
import type { PaymentMethod } from '../stripe-types.ts';

export type BillingDetails = PaymentMethod['billing_details'];

/** The type of a payment method, and its fields of this type. */
export type MethodDetails = Pick<
  PaymentMethod,
  'type' | 'card' | 'paypal' | 'sepa_debit' | 'us_bank_account'
>;

/** Creates a payment method in Stripe's format. */
export const newPaymentMethod = (
  created: number,
  details: MethodDetails,
  billing_details: BillingDetails,
): PaymentMethod => ({
  id: newId('pm'),
  object: 'payment_method',
  allow_redisplay: 'unspecified',
  billing_details,
  created,
  customer: null,
  customer_account: null,
  livemode: false,
  metadata: {},
  ...details,
});

export const cardDetails = (card: Card): MethodDetails => ({
  type: 'card',
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
});
