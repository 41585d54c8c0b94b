/**
 * Lifecycle of a simulated setup intent, which saves a payment method without charging it:
 * requires_payment_method → (requires_action →) succeeded.
 */
import type { Ledger } from './ledger.ts';
import { type Behavior, type Decline, isDebit } from './outcome.ts';
import { nextActionFor } from './attempt-payment.ts';
import { mandateFor } from './mandates.ts';
import { requireOfferedType } from './payment-method-types.ts';
import type { PaymentAttempt } from './payment-methods.ts';
import { redirectActionFor } from './redirect.ts';
import { type SetupInput, newSetupIntent } from './objects/setup-intent.ts';
import type { ErrorBody } from './stripe-error.ts';
import { StripeError, docUrl } from './stripe-error.ts';
import type { PaymentMethod, SetupIntent } from './stripe-types.ts';

export type SetupResult = { intent: SetupIntent; declined?: ErrorBody };

export function createSetupIntent(ledger: Ledger, input: SetupInput): SetupIntent {
  const intent = ledger.add(newSetupIntent(ledger.now(), input));
  ledger.emit('setup_intent.created', intent);
  return intent;
}

/** @throws {StripeError} 400 if the intent has ended, 402 for invalid card data */
export function confirmSetupIntent(
  ledger: Ledger,
  intent: SetupIntent,
  getAttempt: () => PaymentAttempt,
): SetupResult {
  requireStatus(intent, ['requires_payment_method', 'requires_action', 'requires_confirmation']);
  const { method, outcome, returnUrl } = getAttempt();
  requireOfferedType(intent.payment_method_types, method.type);
  // A test card may be saved although its charges fail.
  const setupOutcome = ledger.hidden<Behavior & { canBeSaved: boolean }>(method.id).canBeSaved
    ? 'succeed'
    : outcome;
  if (setupOutcome === 'succeed') return saveMethod(ledger, intent, method);
  if (isDebit(setupOutcome))
    return saveMethod(ledger, intent, method, mandateFor(ledger, method).id);
  if (typeof setupOutcome === 'object')
    return failSetup(ledger, intent, method, toErrorBody(setupOutcome));
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.next_action =
    setupOutcome === 'redirect'
      ? redirectActionFor(ledger, intent, returnUrl)
      : nextActionFor(ledger, intent);
  ledger.save(intent);
  ledger.emit('setup_intent.requires_action', intent);
  return { intent };
}

export function authenticateSetupIntent(
  ledger: Ledger,
  intent: SetupIntent,
  isAuthenticated: boolean,
  failure: ErrorBody = authenticationFailure,
): SetupResult {
  requireStatus(intent, ['requires_action']);
  const method = ledger.find('payment_method', String(intent.payment_method));
  return isAuthenticated
    ? saveMethod(ledger, intent, method)
    : failSetup(ledger, intent, method, failure);
}

const authenticationFailure = {
  type: 'invalid_request_error',
  code: 'setup_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
} as const;

export function cancelSetupIntent(ledger: Ledger, intent: SetupIntent): SetupIntent {
  requireStatus(intent, ['requires_payment_method', 'requires_action', 'requires_confirmation']);
  intent.status = 'canceled';
  intent.next_action = null;
  ledger.save(intent);
  ledger.emit('setup_intent.canceled', intent);
  return intent;
}

function saveMethod(
  ledger: Ledger,
  intent: SetupIntent,
  method: PaymentMethod,
  mandate: string | null = null,
): SetupResult {
  Object.assign(intent, {
    status: 'succeeded',
    payment_method: method.id,
    mandate,
    next_action: null,
    last_setup_error: null,
  } satisfies Partial<SetupIntent>);
  ledger.save(intent);
  if (intent.customer && !method.customer) {
    method.customer = intent.customer as string;
    ledger.save(method);
    ledger.emit('payment_method.attached', method);
  }
  ledger.emit('setup_intent.succeeded', intent);
  return { intent };
}

function failSetup(
  ledger: Ledger,
  intent: SetupIntent,
  method: PaymentMethod,
  decline: ErrorBody,
): SetupResult {
  const error = {
    ...decline,
    ...(decline.code && { doc_url: docUrl(decline.code) }),
    payment_method: method,
  };
  Object.assign(intent, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_setup_error: error,
  });
  ledger.save(intent);
  ledger.emit('setup_intent.setup_failed', intent);
  return { intent, declined: { ...error, setup_intent: intent } };
}

const toErrorBody = (decline: Decline): ErrorBody => ({ type: 'card_error', ...decline });

function requireStatus(intent: SetupIntent, allowed: readonly SetupIntent['status'][]) {
  if (allowed.includes(intent.status)) return;
  throw new StripeError(400, {
    type: 'invalid_request_error',
    code: 'setup_intent_unexpected_state',
    message: `You cannot do this with this SetupIntent because it has a status of ${intent.status}.`,
    setup_intent: intent,
  });
}
