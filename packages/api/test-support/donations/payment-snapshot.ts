import type { PaymentSnapshot } from '../../src/payments/stripe/payments.ts';

/** A payment by card as Stripe reports it. */
export const cardPayment = (
  payment: Pick<PaymentSnapshot, 'paymentIntentId' | 'metadata'> & Partial<PaymentSnapshot>,
): PaymentSnapshot => ({
  livemode: false,
  amountCents: 500,
  currency: 'usd',
  feeCents: 45,
  disputeFeeCents: 0,
  converted: null,
  disputedCents: 0,
  refunds: [],
  disputes: [],
  paymentMethod: 'card',
  cardBrand: 'visa',
  paidAt: new Date(),
  ...payment,
});
