import type { Frequency } from '@connect-embed/contract';
import type { PaymentIntent, StripeError } from '@stripe/stripe-js';

/** The payment succeeded, or the bank is still processing it. */
export interface Paid {
  kind: 'paid' | 'processing';
  amountCents: number;
  currency: string;
  /** Stripe's id of the payment intent. */
  reference: string;
  /** When Stripe created the payment intent, in milliseconds. The donor's clock may be wrong. */
  at: number;
}

/** The data of the thank-you page. */
export type CompletedPayment = Paid & {
  firstName: string;
  /** In full right after the donation, and masked once it comes from storage: `m•••@example.org`. */
  email: string;
  /** The frequency; empty for a one-time donation. */
  recurringFrequency: Exclude<Frequency, 'one_time'> | '';
  /** Name of the fund that the donor chose or the form sets; empty without a fund. */
  fund?: string;
  /** The donation's short reference; empty if only the payment intent is known. */
  code?: string;
  /** The part of the amount that covers the processing fee, in minor units. */
  feeCents?: number;
  /** What the donation achieves, in the owner's words; empty if they have not said it. */
  impact?: string;
  /** In whose honor or memory the donation was made; empty without a dedication. */
  dedication?: string;
};

export type NotPaid =
  /** Not charged. The same intent can be confirmed again. */
  | {
      kind: 'declined';
      code: string;
      /** Stripe's name of the payment method that failed, if it is known. */
      method?: string | undefined;
      /** The amount, if the donor still has to authenticate at the bank. */
      pendingAmountCents?: number | undefined;
    }
  /** Not charged. The intent can no longer be used. */
  | { kind: 'canceled' }
  /** Not charged. The payment fields are incomplete, and show what is missing. */
  | { kind: 'incomplete' }
  /** Another tab has just donated the same amount, or its payment still waits for the bank. */
  | { kind: 'repeated' | 'waiting'; amountCents: number }
  /** The donor has stopped waiting for another tab. Nothing was submitted. */
  | { kind: 'stopped' }
  /** The result is unknown and must be retrieved from Stripe before another attempt. */
  | { kind: 'unknown' };

/** The state of a payment intent as Stripe reports it. */
export type Outcome = Paid | NotPaid;

interface StripeResult {
  paymentIntent?: PaymentIntent | undefined;
  error?:
    | Pick<StripeError, 'type' | 'code' | 'decline_code' | 'payment_intent' | 'payment_method'>
    | undefined;
}

/** Maps the result of Stripe's `confirmPayment`. After a network error the outcome is unknown. */
export function fromConfirmResult({ paymentIntent, error }: StripeResult): Outcome {
  const intent = paymentIntent ?? error?.payment_intent;
  if (intent) {
    const final = finalOutcome(intent);
    if (final) return final;
  }
  if (error?.type === 'card_error' || error?.type === 'validation_error') return declined(error);
  if (intent?.status === 'requires_payment_method') return declined(error, intent);
  return { kind: 'unknown' };
}

/** Maps the result of Stripe's `retrievePaymentIntent`. */
export function fromRetrieveResult({ paymentIntent, error }: StripeResult): Outcome {
  if (!paymentIntent || error) return { kind: 'unknown' };
  const { status, amount } = paymentIntent;
  const pendingAmountCents = status === 'requires_action' ? amount : undefined;
  return (
    finalOutcome(paymentIntent) ?? { ...declined(undefined, paymentIntent), pendingAmountCents }
  );
}

function finalOutcome(intent: PaymentIntent): Outcome | undefined {
  const { status, amount, currency, id, created } = intent;
  if (status === 'canceled') return { kind: 'canceled' };
  if (status === 'succeeded' || status === 'requires_capture' || status === 'processing') {
    const kind = status === 'processing' ? 'processing' : 'paid';
    return { kind, amountCents: amount, currency, reference: id, at: created * 1000 };
  }
  return undefined;
}

function declined(error: StripeResult['error'], intent?: PaymentIntent) {
  const details = error ?? intent?.last_payment_error ?? undefined;
  const code = details?.decline_code ?? details?.code ?? '';
  return { kind: 'declined' as const, code, method: details?.payment_method?.type };
}
