/** Keeping a card without charging it: requires_payment_method → (requires_action →) succeeded. */
import type { Books } from './books.ts';
import type { Behavior } from './cards.ts';
import type { Decline } from './magic-cards.ts';
import { type Tried, questionOf } from './collect.ts';
import { type SetupInput, newSetupIntent } from './objects/setup-intent.ts';
import type { ErrorBody } from './stripe-error.ts';
import { StripeError, docUrl } from './stripe-error.ts';
import type { PaymentMethod, SetupIntent } from './wire.ts';

export type SetUp = { intent: SetupIntent; declined?: ErrorBody };

export function createSetupIntent(books: Books, input: SetupInput): SetupIntent {
  const intent = books.add(newSetupIntent(books.now(), input));
  books.emit('setup_intent.created', intent);
  return intent;
}

/** @throws {StripeError} 400 when it has ended, 402 when the card was mistyped */
export function confirmSetup(books: Books, intent: SetupIntent, tried: () => Tried): SetUp {
  refuseUnless(intent, ['requires_payment_method', 'requires_action', 'requires_confirmation']);
  const { method, outcome } = tried();
  // A card whose charges fail can be kept all the same; that is what it is for.
  const kept = books.hidden<Behavior & { keeps: boolean }>(method.id).keeps ? 'succeed' : outcome;
  if (kept === 'succeed') return keepCard(books, intent, method);
  if (kept !== 'authenticate') return refuse(books, intent, method, declineOf(kept));
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.next_action = questionOf(books, intent);
  books.save(intent);
  books.emit('setup_intent.requires_action', intent);
  return { intent };
}

export function authenticateSetup(books: Books, intent: SetupIntent, passed: boolean): SetUp {
  refuseUnless(intent, ['requires_action']);
  const method = books.find('payment_method', String(intent.payment_method));
  return passed
    ? keepCard(books, intent, method)
    : refuse(books, intent, method, {
        type: 'invalid_request_error',
        code: 'setup_intent_authentication_failure',
        message:
          'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      });
}

export function cancelSetup(books: Books, intent: SetupIntent): SetupIntent {
  refuseUnless(intent, ['requires_payment_method', 'requires_action', 'requires_confirmation']);
  intent.status = 'canceled';
  intent.next_action = null;
  books.save(intent);
  books.emit('setup_intent.canceled', intent);
  return intent;
}

function keepCard(books: Books, intent: SetupIntent, method: PaymentMethod): SetUp {
  Object.assign(intent, {
    status: 'succeeded',
    payment_method: method.id,
    next_action: null,
    last_setup_error: null,
  } satisfies Partial<SetupIntent>);
  books.save(intent);
  if (intent.customer && !method.customer) {
    method.customer = intent.customer as string;
    books.save(method);
    books.emit('payment_method.attached', method);
  }
  books.emit('setup_intent.succeeded', intent);
  return { intent };
}

function refuse(books: Books, intent: SetupIntent, method: PaymentMethod, why: ErrorBody): SetUp {
  const error = { ...why, ...(why.code && { doc_url: docUrl(why.code) }), payment_method: method };
  Object.assign(intent, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_setup_error: error,
  });
  books.save(intent);
  books.emit('setup_intent.setup_failed', intent);
  return { intent, declined: { ...error, setup_intent: intent } };
}

const declineOf = (why: Decline): ErrorBody => ({ type: 'card_error', ...why });

function refuseUnless(intent: SetupIntent, allowed: readonly SetupIntent['status'][]) {
  if (allowed.includes(intent.status)) return;
  throw new StripeError(400, {
    type: 'invalid_request_error',
    code: 'setup_intent_unexpected_state',
    message: `You cannot do this with this SetupIntent because it has a status of ${intent.status}.`,
    setup_intent: intent,
  });
}
