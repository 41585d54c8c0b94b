/**
 * One attempt at a payment intent, and what it leaves behind. What an invoice makes of it is told by
 * `invoices.ts`, and who may ask for it by `intents.ts`.
 */
import type { Books } from './books.ts';
import type { Behavior, CardInput } from './cards.ts';
import { behaviorOf, checkCard, keep } from './cards.ts';
import type { Decline, Outcome } from './magic-cards.ts';
import { newChargeTransaction } from './objects/balance-transaction.ts';
import { newCharge, newFailedCharge } from './objects/charge.ts';
import { type IntentInput, newPaymentIntent } from './objects/payment-intent.ts';
import { type BillingDetails, newPaymentMethod } from './objects/payment-method.ts';
import { settleLater } from './settlement.ts';
import type { ErrorBody } from './stripe-error.ts';
import { docUrl } from './stripe-error.ts';
import type {
  BalanceTransaction,
  CancellationReason,
  LastPaymentError,
  PaymentIntent,
  PaymentMethod,
} from './wire.ts';

export function createIntent(books: Books, input: IntentInput, hidden: object = {}): PaymentIntent {
  const intent = books.add(newPaymentIntent(books.now(), input), hidden);
  books.emit('payment_intent.created', intent);
  return intent;
}

export function closeIntent(
  books: Books,
  intent: PaymentIntent,
  reason: CancellationReason | null,
): PaymentIntent {
  intent.status = 'canceled';
  intent.canceled_at = books.now();
  intent.cancellation_reason = reason;
  intent.next_action = null;
  books.save(intent);
  books.emit('payment_intent.canceled', intent);
  return intent;
}

/** How an attempt ended; a declined card is an answer, not a mishap. */
export type Confirmed = { intent: PaymentIntent; declined?: ErrorBody };

/** A card that is held out, and what comes of it. */
export type Tried = { method: PaymentMethod; outcome: Outcome };

/**
 * Takes a card as it was typed. The number is judged here and goes no further.
 *
 * @throws {StripeError} 402 when the card was mistyped
 */
export function presentCard(books: Books, card: CardInput, billing: BillingDetails): Tried {
  checkCard(card);
  const behavior = behaviorOf(card.number);
  const method = newPaymentMethod(books.now(), keep(card), billing);
  return { method: books.add(method, behavior), outcome: behavior.outcome };
}

/** A card that was kept; `saved` when nobody is there to answer the bank. */
export function savedCard(books: Books, id: string, when: keyof Behavior & ('outcome' | 'saved')) {
  const method = books.find('payment_method', id, 'payment_method');
  return { method, outcome: books.hidden<Behavior>(id)[when] ?? 'succeed' };
}

export function attempt(
  books: Books,
  intent: PaymentIntent,
  { method, outcome }: Tried,
): Confirmed {
  if (outcome === 'succeed') return succeed(books, intent, method);
  if (outcome === 'authenticate') return challenge(books, intent, method);
  return decline(books, intent, method, outcome);
}

export function succeed(books: Books, intent: PaymentIntent, method: PaymentMethod): Confirmed {
  const charge = newCharge(books.now(), intent, method);
  const { after } = books.hidden<Behavior>(method.id);
  const line = newChargeTransaction(books.now(), charge, after !== 'available');
  // Known to Stripe only later, sometimes, since capture is asynchronous.
  const late = books.befalls('late_fee');
  if (!late) charge.balance_transaction = enter(books, line);
  books.add(charge);
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    payment_method: method.id,
    last_payment_error: null,
    next_action: null,
  } satisfies Partial<PaymentIntent>);
  books.save(intent);
  keepForLater(books, intent, method);
  books.emit('charge.succeeded', charge);
  books.emit('payment_intent.succeeded', intent);
  if (late) books.later(books.now() + LATE_SECONDS, 'late_fee', charge.id);
  if (after === 'dispute' || after === 'inquiry') books.later(books.now(), after, charge.id);
  return { intent };
}

const LATE_SECONDS = 1;

function enter(books: Books, line: BalanceTransaction): string {
  settleLater(books);
  return books.add(line).id;
}

/** The balance transaction of a charge that had to wait for it. */
export function enterLateFee(books: Books, id: string) {
  const charge = books.find('charge', id);
  const balance_transaction = enter(books, newChargeTransaction(books.now(), charge, true));
  const known = books.save({ ...charge, balance_transaction });
  books.emit('charge.updated', known, { balance_transaction: null });
}

/** The donor gave the card for next time too. */
function keepForLater(books: Books, intent: PaymentIntent, method: PaymentMethod) {
  if (!intent.setup_future_usage || !intent.customer || method.customer) return;
  method.customer = intent.customer as string;
  books.save(method);
  books.emit('payment_method.attached', method);
}

/** Where the bank's question is asked, in the shape of Stripe's next action. */
export function questionOf(books: Books, { id, object }: { id: string; object: string }) {
  const url = new URL('/authentication', books.url);
  url.searchParams.set(object, id);
  return {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url.href },
  };
}

function challenge(books: Books, intent: PaymentIntent, method: PaymentMethod): Confirmed {
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  intent.next_action = questionOf(books, intent);
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
  const charge = books.add(newFailedCharge(books.now(), intent, method, why));
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

export function fail(
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
