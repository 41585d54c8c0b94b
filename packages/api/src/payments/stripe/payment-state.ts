import type Stripe from 'stripe';
import { callStripe, type Client } from './client.ts';

/** A payment as fetched from Stripe, whatever its status. */
export interface PaymentState {
  paymentIntentId: string;
  /** `failed`: the payment needs another payment method, or was canceled. `open`: the donor has not confirmed it. */
  status: 'open' | 'processing' | 'failed' | 'succeeded';
  livemode: boolean;
  amountCents: number;
  currency: string;
  /** Stripe's type of the payment method that was tried last; null before the first. */
  paymentMethod: string | null;
  /** The charge of the last attempt; null before the first. */
  chargeId: string | null;
  /** When the donor confirmed the payment. */
  confirmedAt: Date;
  failure: { code: string | null; message: string | null };
  metadata: Record<string, string>;
}

/** Part of the processor client: payments that may not have succeeded yet. */
export const paymentState = ({ stripe }: Client) => ({
  async retrievePaymentState(id: string, stripeAccount: string): Promise<PaymentState> {
    const expand = ['payment_method', 'latest_charge'];
    return mapPaymentState(
      await callStripe(() => stripe.paymentIntents.retrieve(id, { expand }, { stripeAccount })),
    );
  },
});

/** @param intent with its `payment_method` and `latest_charge` expanded */
function mapPaymentState(intent: Stripe.PaymentIntent): PaymentState {
  const { payment_method: method, latest_charge: charge, last_payment_error: error } = intent;
  const usedMethod = (typeof method === 'object' && method) || error?.payment_method;
  return {
    paymentIntentId: intent.id,
    status: statusOf(intent),
    livemode: intent.livemode,
    amountCents: intent.amount,
    currency: intent.currency,
    paymentMethod: usedMethod?.type ?? null,
    chargeId: (typeof charge === 'string' ? charge : charge?.id) ?? error?.charge ?? null,
    confirmedAt: new Date(((typeof charge === 'object' && charge) || intent).created * 1000),
    failure: { code: error?.decline_code ?? error?.code ?? null, message: error?.message ?? null },
    metadata: intent.metadata,
  };
}

function statusOf({
  status,
  last_payment_error: error,
}: Stripe.PaymentIntent): PaymentState['status'] {
  if (status === 'processing') return 'processing';
  if (status === 'succeeded') return 'succeeded';
  if (status === 'canceled') return 'failed';
  return status === 'requires_payment_method' && error ? 'failed' : 'open';
}
