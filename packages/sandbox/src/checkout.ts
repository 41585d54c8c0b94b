/** Lifecycle of a simulated Checkout session, independent of HTTP: open → complete or expired. */
import {
  closeIntent,
  createIntent,
  type AttemptResult,
  type CardAttempt,
} from './attempt-payment.ts';
import { confirmIntent } from './intents.ts';
import type { Ledger } from './ledger.ts';
import { type CheckoutSessionInput, newCheckoutSession } from './objects/checkout-session.ts';
import type { IntentInput } from './objects/payment-intent.ts';
import { StripeError } from './stripe-error.ts';
import type { CheckoutSession } from './stripe-types.ts';

/** What the payment page shows and uses, and Stripe's API does not return with a session. */
export interface HiddenCheckout {
  productName: string;
  intent: Omit<IntentInput, 'amount' | 'currency'>;
}

export function startCheckout(
  ledger: Ledger,
  input: CheckoutSessionInput,
  hidden: HiddenCheckout,
): CheckoutSession {
  const session = newCheckoutSession(ledger.now(), `${ledger.url}/checkout`, input);
  ledger.add(session, hidden);
  ledger.schedule(session.expires_at, 'expire_checkout', session.id);
  return session;
}

/**
 * Attempts to pay a session with a card. As at Stripe, the first attempt creates its payment intent.
 *
 * @throws {StripeError} 400 if the session is not open, 402 for invalid card data
 */
export function payCheckout(
  ledger: Ledger,
  session: CheckoutSession,
  getAttempt: () => CardAttempt,
): AttemptResult {
  requireOpen(session);
  const attempt = getAttempt();
  const intent =
    typeof session.payment_intent === 'string'
      ? ledger.find('payment_intent', session.payment_intent)
      : createIntent(ledger, {
          ...ledger.hidden<HiddenCheckout>(session.id).intent,
          amount: session.amount_total!,
          currency: session.currency!,
        });
  session.payment_intent = intent.id;
  ledger.save(session);
  const result = confirmIntent(ledger, intent, () => attempt);
  if (result.intent.status === 'succeeded') {
    Object.assign(session, { status: 'complete', payment_status: 'paid', url: null });
    ledger.save(session);
    ledger.unschedule('expire_checkout', session.id);
    ledger.emit('checkout.session.completed', session);
  }
  return result;
}

/** Expires a session, which also cancels its payment intent. @throws {StripeError} 400 if it is not open */
export function expireCheckout(ledger: Ledger, session: CheckoutSession): CheckoutSession {
  requireOpen(session);
  Object.assign(session, { status: 'expired', url: null });
  ledger.save(session);
  ledger.unschedule('expire_checkout', session.id);
  if (typeof session.payment_intent === 'string')
    closeIntent(ledger, ledger.find('payment_intent', session.payment_intent), null);
  ledger.emit('checkout.session.expired', session);
  return session;
}

/** Expires a session that was not paid in time. */
export const expireUnpaidCheckout = (ledger: Ledger, id: string) =>
  void expireCheckout(ledger, ledger.find('checkout.session', id));

function requireOpen({ status }: CheckoutSession) {
  if (status === 'open') return;
  throw new StripeError(400, {
    type: 'invalid_request_error',
    message: `Only Checkout Sessions with a status in ["open"] can be changed. This Checkout Session has a status of ${status}.`,
  });
}
