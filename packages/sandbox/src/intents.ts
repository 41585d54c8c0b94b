/**
 * The life of a payment intent: the rules, apart from the wire.
 *
 * requires_payment_method → (requires_action →) succeeded; a failure leads back
 * to requires_payment_method, so that the donor may try another card.
 */
import type { Books } from './books.ts';
import { follow } from './renewals.ts';
import { type Confirmed, type Tried, attempt, closeIntent, fail, succeed } from './collect.ts';
import type { Answer } from './once.ts';
import { StripeError, docUrl } from './stripe-error.ts';
import type { CancellationReason, PaymentIntent } from './wire.ts';

/**
 * Tries a card.
 *
 * @throws {StripeError} 400 when the intent has ended, 402 when the card was mistyped
 */
export function confirmIntent(books: Books, intent: PaymentIntent, tried: () => Tried): Confirmed {
  refuseUnless(intent, ['requires_payment_method', 'requires_action'], 'confirm');
  return follow(books, attempt(books, intent, tried()));
}

/** The donor answered the bank's question, or refused to. */
export function authenticateIntent(
  books: Books,
  intent: PaymentIntent,
  passed: boolean,
): Confirmed {
  refuseUnless(intent, ['requires_action'], 'authenticate');
  const method = books.find('payment_method', intent.payment_method as string);
  return follow(
    books,
    passed ? succeed(books, intent, method) : fail(books, intent, method, unauthenticated),
  );
}

const unauthenticated = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  doc_url: docUrl('payment_intent_authentication_failure'),
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
} as const;

export function cancelIntent(
  books: Books,
  intent: PaymentIntent,
  reason: CancellationReason | null,
): PaymentIntent {
  refuseUnless(intent, ['requires_payment_method', 'requires_action'], 'cancel');
  return closeIntent(books, intent, reason);
}

/** @throws {StripeError} 400 payment_intent_unexpected_state, with the intent as it is */
export function refuseUnless(
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

/** What a confirmation answers: 200 with the intent, or Stripe's 402. */
export const answerOf = (
  { intent, declined }: Confirmed,
  show: (intent: PaymentIntent) => object,
): Answer =>
  declined
    ? {
        status: 402,
        body: JSON.stringify({ error: { ...declined, payment_intent: show(intent) } }),
      }
    : { status: 200, body: JSON.stringify(show(intent)) };
