/**
 * Simulated refunds, independent of HTTP.
 *
 * A refund succeeds immediately. With some of Stripe's test cards it is first pending, or fails
 * later.
 */
import type { Ledger } from './ledger.ts';
import type { PostPaymentEffect } from './outcome.ts';
import { closeInquiries } from './disputes.ts';
import { convertToBalance } from './balance-currency.ts';
import { formatMoney } from './money.ts';
import { newBalanceTransaction } from './objects/balance-transaction.ts';
import { newRefund } from './objects/refund.ts';
import { schedulePayoutRun } from './payouts.ts';
import { StripeError, invalidParamError } from './stripe-error.ts';
import type { Charge, Dispute, Refund } from './stripe-types.ts';

/**
 * Delay after which refunds of some test cards change their status; Stripe documents no exact time.
 */
const TEST_CARD_DELAY_SECONDS = 3;

type RefundInput = {
  amount?: number | undefined;
  reason?: Refund['reason'] | undefined;
  metadata?: Record<string, string> | undefined;
};

/**
 * @throws {StripeError} 400 if the charge cannot be refunded, or the amount exceeds the amount that
 * is not yet refunded
 */
export function createRefund(ledger: Ledger, charge: Charge, input: RefundInput): Refund {
  const refundableAmount = charge.amount_captured - charge.amount_refunded;
  requireRefundable(ledger, charge, refundableAmount, input.amount);
  const amount = input.amount ?? refundableAmount;
  const postPaymentEffect = ledger.hidden<{ postPaymentEffect: PostPaymentEffect }>(
    String(charge.payment_method),
  ).postPaymentEffect;
  const status = postPaymentEffect === 'refund_pending' ? 'pending' : 'succeeded';
  const { reason = null, metadata = {} } = input;
  const refund = newRefund(ledger.now(), charge, { amount, reason, metadata, status });
  refund.balance_transaction = addRefundTransaction(ledger, refund, -amount, 'refund');
  ledger.add(refund);
  addRefundedAmount(ledger, charge, amount);
  ledger.emit('refund.created', refund);
  if (charge.refunded) closeInquiries(ledger, charge.id);
  if (postPaymentEffect === 'refund_pending')
    ledger.schedule(ledger.now() + TEST_CARD_DELAY_SECONDS, 'complete_refund', refund.id);
  if (postPaymentEffect === 'refund_fails')
    ledger.schedule(ledger.now() + TEST_CARD_DELAY_SECONDS, 'fail_refund', refund.id);
  return refund;
}

export function completeRefund(ledger: Ledger, id: string) {
  const refund = ledger.find('refund', id);
  if (refund.status !== 'pending') return;
  saveAndEmit(ledger, { ...refund, status: 'succeeded' }, [
    'refund.updated',
    'charge.refund.updated',
  ]);
}

/** Fails a refund as if the bank had returned it: restores the charge and credits the balance. */
export function failRefund(ledger: Ledger, id: string) {
  const refund = ledger.find('refund', id);
  if (refund.status !== 'pending' && refund.status !== 'succeeded') return;
  reverseRefund(
    ledger,
    { ...refund, status: 'failed', failure_reason: 'expired_or_canceled_card' },
    ['refund.failed', 'refund.updated', 'charge.refund.updated'],
  );
}

/** @throws {StripeError} 400 if the refund is not pending */
export function cancelRefund(ledger: Ledger, id: string): Refund {
  const refund = ledger.find('refund', id, 'refund');
  if (refund.status !== 'pending') {
    throw invalidParamError('refund', `This refund is ${refund.status} and cannot be canceled.`);
  }
  ledger.unschedule('complete_refund', id);
  return reverseRefund(ledger, { ...refund, status: 'canceled' }, ['refund.updated']);
}

function reverseRefund(ledger: Ledger, refund: Refund, types: readonly string[]): Refund {
  refund.failure_balance_transaction = addRefundTransaction(
    ledger,
    refund,
    refund.amount,
    'refund_failure',
  );
  const charge = ledger.find('charge', String(refund.charge));
  addRefundedAmount(ledger, charge, -refund.amount, 'charge.updated');
  return saveAndEmit(ledger, refund, types);
}

function saveAndEmit(ledger: Ledger, refund: Refund, types: readonly string[]): Refund {
  ledger.save(refund);
  for (const type of types) ledger.emit(type, refund);
  return refund;
}

/** Adds to the refunded amount of a charge; a negative amount reverses a refund. */
function addRefundedAmount(
  ledger: Ledger,
  charge: Charge,
  amount: number,
  event = 'charge.refunded',
) {
  const { amount_refunded, refunded } = charge;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  ledger.save(charge);
  ledger.emit(event, charge, { amount_refunded, refunded });
}

/** Stripe does not return the fee of the payment, and a refund has no fee of its own. */
function addRefundTransaction(
  ledger: Ledger,
  { id, charge, currency }: Refund,
  amount: number,
  type: 'refund' | 'refund_failure',
) {
  const converted = convertToBalance(ledger, amount, currency);
  const isPayment = String(charge).startsWith('py_') && type === 'refund';
  const transactionInput = {
    ...converted,
    type: isPayment ? 'payment_refund' : type,
    reporting_category: type,
    source: id,
    description: isPayment ? 'REFUND FOR PAYMENT' : 'REFUND FOR CHARGE',
  };
  const { id: transaction } = ledger.add(newBalanceTransaction(ledger.now(), transactionInput));
  schedulePayoutRun(ledger);
  return transaction;
}

const blocksRefund = (dispute: Dispute) => !dispute.is_charge_refundable;

function requireRefundable(
  ledger: Ledger,
  charge: Charge,
  refundableAmount: number,
  amount = refundableAmount,
) {
  if (charge.status !== 'succeeded') {
    throw refundError(
      'charge_not_refundable',
      `Charge ${charge.id} did not succeed and cannot be refunded.`,
    );
  }
  if (
    charge.disputed &&
    ledger.listAll('dispute', { fields: { charge: charge.id } }).some(blocksRefund)
  ) {
    throw refundError(
      'charge_disputed',
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
    );
  }
  if (refundableAmount === 0) {
    throw refundError('charge_already_refunded', `Charge ${charge.id} has already been refunded.`);
  }
  if (amount < 1)
    throw invalidParamError('amount', 'This value must be greater than or equal to 1.');
  if (amount > refundableAmount) {
    const [requestedText, remainingText] = [amount, refundableAmount].map((each) =>
      formatMoney(each, charge.currency),
    );
    throw invalidParamError(
      'amount',
      `Refund amount (${requestedText}) is greater than unrefunded amount on charge (${remainingText})`,
    );
  }
}

const refundError = (code: string, message: string) =>
  new StripeError(400, { type: 'invalid_request_error', code, message });
