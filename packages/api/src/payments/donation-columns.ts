import type { Updateable } from 'kysely';
import type { Database } from '../db/schema.ts';
import { sumRefunds } from './stripe/map-refunds-disputes.ts';
import type { PaymentSnapshot } from './stripe/payments.ts';

/**
 * Returns the columns of a donation that are derived from its payment at Stripe. Of the donation only
 * `amount_cents` is used, which never changes.
 */
export function donationColumns(
  { amount_cents }: { amount_cents: number },
  payment: PaymentSnapshot,
) {
  const refundedCents = Math.min(sumRefunds(payment.refunds), amount_cents);
  return {
    livemode: payment.livemode,
    fee_cents: payment.feeCents,
    dispute_fee_cents: payment.disputeFeeCents,
    settlement_currency: payment.converted?.currency ?? null,
    settlement_amount_cents: payment.converted?.amountCents ?? null,
    settlement_fee_cents: payment.converted?.feeCents ?? null,
    settlement_net_cents: payment.converted?.netCents ?? null,
    exchange_rate: payment.converted?.exchangeRate ?? null,
    refunded_amount_cents: refundedCents,
    refund_status: refundedCents === 0 ? 'none' : refundedCents < amount_cents ? 'partial' : 'full',
    dispute_status: disputeStatus(payment),
    disputed_amount_cents: payment.disputedCents,
    ...(payment.paymentMethod !== null && { payment_method: payment.paymentMethod }),
    ...(payment.cardBrand !== null && { card_brand: payment.cardBrand }),
  } satisfies Updateable<Database['donation']>;
}

/** With several disputes an open one determines the status, then a lost one, then a won one. An inquiry is open, too. */
function disputeStatus({ disputes }: PaymentSnapshot) {
  const order = ['open', 'lost', 'won'] as const;
  const states = disputes.map(({ status }) => (status === 'inquiry' ? 'open' : status));
  return order.find((state) => states.includes(state)) ?? 'none';
}
