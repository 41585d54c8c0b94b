/**
 * Attempts to pay a simulated payment intent, and creates the objects of the attempt. `intents.ts`
 * checks whether an attempt is allowed; `renewals.ts` updates the invoice of the intent.
 */
import type { Ledger } from './ledger.ts';
import { type Behavior, type Decline, type PendingDebit, isDebit } from './outcome.ts';
import { convertToBalance } from './balance-currency.ts';
import { mandateFor } from './mandates.ts';
import { newBalanceTransaction } from './objects/balance-transaction.ts';
import { newCharge, newFailedCharge, newPendingCharge, toFailed } from './objects/charge.ts';
import { type IntentInput, newPaymentIntent } from './objects/payment-intent.ts';
import type { PaymentAttempt } from './payment-methods.ts';
import { schedulePayoutRun } from './payouts.ts';
import { processingFee } from './processing-fee.ts';
import { redirectActionFor } from './redirect.ts';
import type { ErrorBody } from './stripe-error.ts';
import { docUrl } from './stripe-error.ts';
import type {
  Charge,
  CancellationReason,
  LastPaymentError,
  PaymentIntent,
  PaymentMethod,
} from './stripe-types.ts';

export function createIntent(
  ledger: Ledger,
  input: IntentInput,
  hidden: object = {},
): PaymentIntent {
  const intent = ledger.add(newPaymentIntent(ledger.now(), input), hidden);
  ledger.emit('payment_intent.created', intent);
  return intent;
}

export function closeIntent(
  ledger: Ledger,
  intent: PaymentIntent,
  reason: CancellationReason | null,
): PaymentIntent {
  intent.status = 'canceled';
  intent.canceled_at = ledger.now();
  intent.cancellation_reason = reason;
  intent.next_action = null;
  ledger.save(intent);
  ledger.emit('payment_intent.canceled', intent);
  return intent;
}

/** Result of an attempt. A declined card is a result and not an exception. */
export type AttemptResult = { intent: PaymentIntent; declined?: ErrorBody };

export function attemptPayment(
  ledger: Ledger,
  intent: PaymentIntent,
  { method, outcome, returnUrl }: PaymentAttempt,
): AttemptResult {
  if (outcome === 'succeed') return succeedAttempt(ledger, intent, method);
  if (outcome === 'authenticate')
    return requireAction(ledger, intent, method, nextActionFor(ledger, intent));
  if (outcome === 'redirect')
    return requireAction(ledger, intent, method, redirectActionFor(ledger, intent, returnUrl));
  if (isDebit(outcome)) return startDebit(ledger, intent, method, outcome);
  return declineAttempt(ledger, intent, method, outcome);
}

/** @param pending the charge of a bank debit that has been processing */
export function succeedAttempt(
  ledger: Ledger,
  intent: PaymentIntent,
  method: PaymentMethod,
  pending?: Charge,
): AttemptResult {
  const charge: Charge = pending
    ? { ...pending, paid: true, status: 'succeeded' }
    : newCharge(ledger.now(), intent, method);
  const { postPaymentEffect } = ledger.hidden<Behavior>(method.id);
  charge.balance_transaction = addChargeTransaction(
    ledger,
    charge,
    postPaymentEffect !== 'available',
  );
  if (pending) ledger.save(charge);
  else ledger.add(charge);
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    payment_method: method.id,
    last_payment_error: null,
    next_action: null,
  } satisfies Partial<PaymentIntent>);
  ledger.save(intent);
  saveMethodToCustomer(ledger, intent, method);
  ledger.emit('charge.succeeded', charge);
  ledger.emit('payment_intent.succeeded', intent);
  if (postPaymentEffect === 'dispute') ledger.schedule(ledger.now(), 'open_dispute', charge.id);
  if (postPaymentEffect === 'inquiry') ledger.schedule(ledger.now(), 'open_inquiry', charge.id);
  return { intent };
}

function addChargeTransaction(ledger: Ledger, charge: Charge, isPending: boolean): string {
  const converted = convertToBalance(ledger, charge.amount, charge.currency);
  const methodType = charge.payment_method_details?.type ?? 'card';
  schedulePayoutRun(ledger);
  const transaction = newBalanceTransaction(ledger.now(), {
    ...converted,
    type: methodType === 'card' ? 'charge' : 'payment',
    reporting_category: 'charge',
    source: charge.id,
    fee: processingFee(ledger, methodType, converted.amount),
    isPending,
    description: charge.description,
  });
  return ledger.add(transaction).id;
}

/** Attaches the payment method to the customer if the intent has `setup_future_usage`. */
function saveMethodToCustomer(ledger: Ledger, intent: PaymentIntent, method: PaymentMethod) {
  if (!intent.setup_future_usage || !intent.customer || method.customer) return;
  method.customer = intent.customer as string;
  ledger.save(method);
  ledger.emit('payment_method.attached', method);
}

/**
 * Returns a `next_action` in Stripe's format, with the URL of the simulated authentication page.
 */
export function nextActionFor(ledger: Ledger, { id, object }: { id: string; object: string }) {
  const url = new URL('/authentication', ledger.url);
  url.searchParams.set(object, id);
  return {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url.href },
  };
}

function requireAction(
  ledger: Ledger,
  intent: PaymentIntent,
  method: PaymentMethod,
  nextAction: PaymentIntent['next_action'],
): AttemptResult {
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  intent.next_action = nextAction;
  ledger.save(intent);
  ledger.emit('payment_intent.requires_action', intent);
  return { intent };
}

/** Sends a debit to the bank. The job `settle_debit` pays or fails it (`debit-settlement.ts`). */
function startDebit(
  ledger: Ledger,
  intent: PaymentIntent,
  method: PaymentMethod,
  { settlesAfterSeconds, failure }: PendingDebit,
): AttemptResult {
  const { amount, currency } = intent;
  const isSaved = intent.setup_future_usage !== null;
  const mandate = mandateFor(ledger, method, isSaved ? undefined : { amount, currency });
  if (mandate.status === 'inactive') return failAttempt(ledger, intent, method, MANDATE_ENDED);
  const charge = ledger.add(newPendingCharge(ledger.now(), intent, method, mandate.id));
  Object.assign(intent, {
    status: 'processing',
    latest_charge: charge.id,
    payment_method: method.id,
    last_payment_error: null,
    next_action: null,
  } satisfies Partial<PaymentIntent>);
  ledger.save(intent);
  ledger.setHidden(intent.id, { debit_failure: failure ?? null });
  saveMethodToCustomer(ledger, intent, method);
  ledger.emit('charge.pending', charge);
  ledger.emit('payment_intent.processing', intent);
  ledger.schedule(ledger.now() + settlesAfterSeconds, 'settle_debit', intent.id);
  return { intent };
}

const MANDATE_ENDED = {
  type: 'invalid_request_error',
  code: 'payment_intent_mandate_invalid',
  doc_url: docUrl('payment_intent_mandate_invalid'),
  message: 'The mandate of this payment method is no longer active. Collect a new payment method.',
} as const;

/** Fails a debit that the bank has returned. */
export function returnDebit(
  ledger: Ledger,
  intent: PaymentIntent,
  method: PaymentMethod,
  pending: Charge,
  failure: Decline,
): AttemptResult {
  const charge = ledger.save(toFailed(pending, failure));
  ledger.emit('charge.failed', charge);
  return failAttempt(ledger, intent, method, {
    type: 'invalid_request_error',
    ...failure,
    charge: charge.id,
    doc_url: docUrl(failure.code),
  });
}

function declineAttempt(
  ledger: Ledger,
  intent: PaymentIntent,
  method: PaymentMethod,
  error: Decline,
): AttemptResult {
  const charge = ledger.add(newFailedCharge(ledger.now(), intent, method, error));
  intent.latest_charge = charge.id;
  ledger.emit('charge.failed', charge);
  const declined = {
    type: 'card_error',
    ...error,
    charge: charge.id,
    doc_url: docUrl(error.code),
  } as const;
  return failAttempt(ledger, intent, method, declined);
}

export function failAttempt(
  ledger: Ledger,
  intent: PaymentIntent,
  method: PaymentMethod,
  error: ErrorBody,
): AttemptResult {
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.next_action = null;
  intent.last_payment_error = { ...error, payment_method: method } as LastPaymentError;
  ledger.save(intent);
  ledger.emit('payment_intent.payment_failed', intent);
  return { intent, declined: { ...error, payment_method: method, payment_intent: intent } };
}
