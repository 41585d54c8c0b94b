import type { PaymentIntent, StripeError } from '@stripe/stripe-js';

/** The processor has the gift, or its bank is still working on it. */
export interface Paid {
  kind: 'paid' | 'processing';
  amountCents: number;
  currency: string;
  /** The processor's name of the payment. */
  reference: string;
}

export type NotPaid =
  /** Not charged, and the same intent can be tried again. */
  | {
      kind: 'declined';
      code: string;
      /** The amount, while its donor is still at the bank. */
      pendingAmountCents?: number | undefined;
    }
  /** Not charged, and the intent is of no more use. */
  | { kind: 'canceled' }
  /** Not charged: the card's fields lack something, and they say what. */
  | { kind: 'incomplete' }
  /** Another tab gave as much a moment ago, or its gift still waits for a bank. */
  | { kind: 'repeated' | 'waiting'; amountCents: number }
  /** Nobody told us: it must be read back before another try. */
  | { kind: 'unknown' };

/** What the processor says about an intent. Never what we hope. */
export type Outcome = Paid | NotPaid;

interface StripeResult {
  paymentIntent?: PaymentIntent | undefined;
  error?: Pick<StripeError, 'type' | 'code' | 'decline_code' | 'payment_intent'> | undefined;
}

/** Reads the answer of `confirmPayment`. An error of the line leaves the outcome open. */
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

/** Reads the answer of `retrievePaymentIntent`: its status is the truth at this moment. */
export function fromRetrieveResult({ paymentIntent, error }: StripeResult): Outcome {
  if (!paymentIntent || error) return { kind: 'unknown' };
  const { status, amount } = paymentIntent;
  const pendingAmountCents = status === 'requires_action' ? amount : undefined;
  return (
    finalOutcome(paymentIntent) ?? { ...declined(undefined, paymentIntent), pendingAmountCents }
  );
}

function finalOutcome(intent: PaymentIntent): Outcome | undefined {
  const { status, amount, currency, id } = intent;
  if (status === 'canceled') return { kind: 'canceled' };
  if (status === 'succeeded' || status === 'requires_capture' || status === 'processing') {
    const kind = status === 'processing' ? 'processing' : 'paid';
    return { kind, amountCents: amount, currency, reference: id };
  }
  return undefined;
}

function declined(error: StripeResult['error'], intent?: PaymentIntent) {
  const details = error ?? intent?.last_payment_error ?? undefined;
  return { kind: 'declined' as const, code: details?.decline_code ?? details?.code ?? '' };
}
