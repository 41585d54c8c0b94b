/**
 * Lifecycle of a simulated payment intent, independent of HTTP.
 *
 * requires_payment_method → (requires_action →) (processing →) succeeded. After a failure the status is
 * requires_payment_method again, so that the donor may try another method. Bank debits are processing for days.
 */
import type { Ledger } from './ledger.ts';
import type { PaymentAttempt } from './payment-methods.ts';
import { updateInvoiceAfterAttempt } from './renewals.ts';
import {
  type AttemptResult,
  attemptPayment,
  closeIntent,
  failAttempt,
  succeedAttempt,
} from './attempt-payment.ts';
import type { JsonResponse } from './idempotency.ts';
import { requireOfferedType } from './payment-method-types.ts';
import { type ErrorBody, StripeError, docUrl } from './stripe-error.ts';
import type { CancellationReason, PaymentIntent } from './stripe-types.ts';

/**
 * Attempts a payment.
 *
 * @throws {StripeError} 400 if the intent has succeeded or was canceled, 402 for invalid card data
 */
export function confirmIntent(
  ledger: Ledger,
  intent: PaymentIntent,
  getAttempt: () => PaymentAttempt,
): AttemptResult {
  requireStatus(intent, ['requires_payment_method', 'requires_action'], 'confirm');
  const attempt = getAttempt();
  requireOfferedType(intent.payment_method_types, attempt.method.type);
  return updateInvoiceAfterAttempt(ledger, attemptPayment(ledger, intent, attempt));
}

/**
 * Continues after the donor has passed or failed the authentication, or the page of another provider.
 *
 * @param failure error of a failed authentication
 */
export function authenticateIntent(
  ledger: Ledger,
  intent: PaymentIntent,
  isAuthenticated: boolean,
  failure: ErrorBody = authenticationFailure,
): AttemptResult {
  requireStatus(intent, ['requires_action'], 'authenticate');
  const method = ledger.find('payment_method', intent.payment_method as string);
  return updateInvoiceAfterAttempt(
    ledger,
    isAuthenticated
      ? succeedAttempt(ledger, intent, method)
      : failAttempt(ledger, intent, method, failure),
  );
}

const authenticationFailure = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  doc_url: docUrl('payment_intent_authentication_failure'),
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
} as const;

export function cancelIntent(
  ledger: Ledger,
  intent: PaymentIntent,
  reason: CancellationReason | null,
): PaymentIntent {
  requireStatus(intent, ['requires_payment_method', 'requires_action'], 'cancel');
  return closeIntent(ledger, intent, reason);
}

/** @throws {StripeError} 400 payment_intent_unexpected_state, with the intent in the error */
export function requireStatus(
  intent: PaymentIntent,
  allowed: readonly PaymentIntent['status'][],
  verb: string,
) {
  if (allowed.includes(intent.status)) return;
  throw new StripeError(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message: `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`,
    payment_intent: intent,
  });
}

/** The response to a confirmation: 200 with the intent, or Stripe's 402. */
export const confirmationResponse = (
  { intent, declined }: AttemptResult,
  show: (intent: PaymentIntent) => object,
): JsonResponse =>
  declined
    ? {
        status: 402,
        body: JSON.stringify({ error: { ...declined, payment_intent: show(intent) } }),
      }
    : { status: 200, body: JSON.stringify(show(intent)) };
