/**
 * The life of a payment intent: the rules, apart from the wire.
 *
 * requires_payment_method → (requires_action →) succeeded; a failure leads back
 * to requires_payment_method, so that the donor may try another card.
 */
import type { Answer } from './once.ts';
import type { Books } from './books.ts';
import type { CardInput, Decline } from './cards.ts';
import { checkCard, keep, outcomeOf } from './cards.ts';
import { unixNow } from './ids.ts';
import {
  type BillingDetails,
  type IntentInput,
  newBalanceTransaction,
  newCharge,
  newFailedCharge,
  newPaymentIntent,
  newPaymentMethod,
} from './new-objects.ts';
import type { ErrorBody } from './stripe-error.ts';
import { StripeError, docUrl } from './stripe-error.ts';
import type { CancellationReason, LastPaymentError, PaymentIntent, PaymentMethod } from './wire.ts';

/** How a confirmation ended; a declined card is an answer, not a mishap. */
export type Confirmed = { intent: PaymentIntent; declined?: ErrorBody };

export function createIntent(books: Books, input: IntentInput): PaymentIntent {
  const intent = books.add(newPaymentIntent(input));
  books.emit('payment_intent.created', intent);
  return intent;
}

/**
 * Tries a card. The number is judged here and goes no further.
 *
 * @throws {StripeError} 400 when the intent has ended, 402 when the card was mistyped
 */
export function confirmIntent(
  books: Books,
  intent: PaymentIntent,
  card: CardInput,
  billing: BillingDetails,
  challengeUrl: (intent: PaymentIntent) => string,
): Confirmed {
  refuseUnless(intent, ['requires_payment_method', 'requires_action'], 'confirm');
  checkCard(card);
  const method = books.add(newPaymentMethod(keep(card), billing));
  const outcome = outcomeOf(card.number);
  if (outcome === 'succeed') return succeed(books, intent, method);
  if (outcome === 'authenticate') return challenge(books, intent, method, challengeUrl(intent));
  return decline(books, intent, method, outcome);
}

/** The donor answered the bank's question, or refused to. */
export function authenticateIntent(
  books: Books,
  intent: PaymentIntent,
  passed: boolean,
): Confirmed {
  refuseUnless(intent, ['requires_action'], 'authenticate');
  const method = books.find('payment_method', intent.payment_method as string);
  if (passed) return succeed(books, intent, method);
  const declined = {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    doc_url: docUrl('payment_intent_authentication_failure'),
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  } as const;
  return fail(books, intent, method, declined);
}

export function cancelIntent(
  books: Books,
  intent: PaymentIntent,
  reason: CancellationReason | null,
): PaymentIntent {
  refuseUnless(intent, ['requires_payment_method', 'requires_action'], 'cancel');
  intent.status = 'canceled';
  intent.canceled_at = unixNow();
  intent.cancellation_reason = reason;
  intent.next_action = null;
  books.save(intent);
  books.emit('payment_intent.canceled', intent);
  return intent;
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

function succeed(books: Books, intent: PaymentIntent, method: PaymentMethod): Confirmed {
  const charge = newCharge(intent, method);
  charge.balance_transaction = books.add(newBalanceTransaction(charge)).id;
  books.add(charge);
  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  intent.latest_charge = charge.id;
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  intent.next_action = null;
  books.save(intent);
  books.emit('charge.succeeded', charge);
  books.emit('payment_intent.succeeded', intent);
  return { intent };
}

function challenge(
  books: Books,
  intent: PaymentIntent,
  method: PaymentMethod,
  url: string,
): Confirmed {
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  intent.next_action = {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url },
  };
  books.save(intent);
  books.emit('payment_intent.requires_action', intent);
  return { intent };
}

function decline(
  books: Books,
  intent: PaymentIntent,
  method: PaymentMethod,
  why: Decline,
): Confirmed {
  const charge = books.add(newFailedCharge(intent, method, why));
  intent.latest_charge = charge.id;
  books.emit('charge.failed', charge);
  const declined = {
    type: 'card_error',
    ...why,
    charge: charge.id,
    doc_url: docUrl(why.code),
  } as const;
  return fail(books, intent, method, declined);
}

function fail(
  books: Books,
  intent: PaymentIntent,
  method: PaymentMethod,
  why: ErrorBody,
): Confirmed {
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.next_action = null;
  intent.last_payment_error = { ...why, payment_method: method } as LastPaymentError;
  books.save(intent);
  books.emit('payment_intent.payment_failed', intent);
  return { intent, declined: { ...why, payment_method: method, payment_intent: intent } };
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
