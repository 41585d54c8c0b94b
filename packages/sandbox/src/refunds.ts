/**
 * Giving money back: the rules, apart from the wire.
 *
 * pending → succeeded, or, with the cards that Stripe has for it, succeeded → failed some time later.
 */
import type { Books } from './books.ts';
import type { After } from './magic-cards.ts';
import { shownMoney } from './money.ts';
import { newBalanceTransaction } from './objects/balance-transaction.ts';
import { newRefund } from './objects/refund.ts';
import { settleLater } from './settlement.ts';
import { StripeError, invalidParam } from './stripe-error.ts';
import type { Charge, Dispute, Refund } from './wire.ts';

/** "Some time later", as Stripe says of its test cards. */
const LATER_SECONDS = 3;

export type RefundInput = {
  amount?: number | undefined;
  reason?: Refund['reason'] | undefined;
  metadata?: Record<string, string> | undefined;
};

/** @throws {StripeError} 400 when there is not so much left to give back */
export function createRefund(books: Books, charge: Charge, input: RefundInput): Refund {
  const left = charge.amount_captured - charge.amount_refunded;
  refuse(books, charge, left, input.amount);
  const amount = input.amount ?? left;
  const after = books.hidden<{ after: After }>(String(charge.payment_method)).after;
  const status = after === 'refund_pending' ? 'pending' : 'succeeded';
  const { reason = null, metadata = {} } = input;
  const refund = newRefund(books.now(), charge, { amount, reason, metadata, status });
  refund.balance_transaction = move(books, refund, -amount, 'refund');
  books.add(refund);
  give(books, charge, amount);
  books.emit('refund.created', refund);
  if (after === 'refund_pending')
    books.later(books.now() + LATER_SECONDS, 'refund_pays', refund.id);
  if (after === 'refund_fails') books.later(books.now() + LATER_SECONDS, 'refund_fails', refund.id);
  return refund;
}

/** A pending refund has reached the card. */
export function payRefund(books: Books, id: string) {
  const refund = books.find('refund', id);
  if (refund.status !== 'pending') return;
  tell(books, { ...refund, status: 'succeeded' }, ['refund.updated', 'charge.refund.updated']);
}

/** The bank sent it back: the charge is as before, and the money on the balance again. */
export function failRefund(books: Books, id: string) {
  const refund = books.find('refund', id);
  if (refund.status !== 'pending' && refund.status !== 'succeeded') return;
  undo(books, { ...refund, status: 'failed', failure_reason: 'expired_or_canceled_card' }, [
    'refund.failed',
    'refund.updated',
    'charge.refund.updated',
  ]);
}

/** @throws {StripeError} 400 for a refund that is on its way */
export function cancelRefund(books: Books, id: string): Refund {
  const refund = books.find('refund', id, 'refund');
  if (refund.status !== 'pending') {
    throw invalidParam('refund', `This refund is ${refund.status} and cannot be canceled.`);
  }
  books.never('refund_pays', id);
  return undo(books, { ...refund, status: 'canceled' }, ['refund.updated']);
}

function undo(books: Books, refund: Refund, types: readonly string[]): Refund {
  refund.failure_balance_transaction = move(books, refund, refund.amount, 'refund_failure');
  const charge = books.find('charge', String(refund.charge));
  give(books, charge, -refund.amount, 'charge.updated');
  return tell(books, refund, types);
}

function tell(books: Books, refund: Refund, types: readonly string[]): Refund {
  books.save(refund);
  for (const type of types) books.emit(type, refund);
  return refund;
}

/** Below zero takes it back. */
function give(books: Books, charge: Charge, amount: number, event = 'charge.refunded') {
  const { amount_refunded, refunded } = charge;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  books.save(charge);
  books.emit(event, charge, { amount_refunded, refunded });
}

/** Stripe keeps the fee of the payment; a refund costs none of its own. */
function move(
  books: Books,
  { id, currency }: Refund,
  amount: number,
  type: 'refund' | 'refund_failure',
) {
  const line = { amount, currency, type, source: id, description: 'REFUND FOR CHARGE' };
  const { id: transaction } = books.add(newBalanceTransaction(books.now(), line));
  settleLater(books);
  return transaction;
}

const holds = (dispute: Dispute) => !dispute.is_charge_refundable;

function refuse(books: Books, charge: Charge, left: number, amount = left) {
  if (charge.status !== 'succeeded') {
    throw coded(
      'charge_not_refundable',
      `Charge ${charge.id} did not succeed and cannot be refunded.`,
    );
  }
  if (charge.disputed && books.all('dispute', { fields: { charge: charge.id } }).some(holds)) {
    throw coded(
      'charge_disputed',
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
    );
  }
  if (left === 0) {
    throw coded('charge_already_refunded', `Charge ${charge.id} has already been refunded.`);
  }
  if (amount < 1) throw invalidParam('amount', 'This value must be greater than or equal to 1.');
  if (amount > left) {
    const [asked, there] = [amount, left].map((each) => shownMoney(each, charge.currency));
    throw invalidParam(
      'amount',
      `Refund amount (${asked}) is greater than unrefunded amount on charge (${there})`,
    );
  }
}

const coded = (code: string, message: string) =>
  new StripeError(400, { type: 'invalid_request_error', code, message });
