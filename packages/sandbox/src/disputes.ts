/**
 * Simulated disputes: needs_response → won or lost. A person decides, or else the deadline. An inquiry does not
 * withdraw funds. A bank debit that the bank takes back is lost at once: it cannot be contested.
 */
import type { Ledger } from './ledger.ts';
import { convertToBalance } from './balance-currency.ts';
import { newBalanceTransaction } from './objects/balance-transaction.ts';
import { newDispute } from './objects/dispute.ts';
import { nextMidnight, schedulePayoutRun } from './payouts.ts';
import { invalidParamError } from './stripe-error.ts';
import { isDebitType } from './test-debits.ts';
import type { BalanceTransaction, Dispute } from './stripe-types.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** Time in which evidence may be submitted; about a week. */
const RESPONSE_SECONDS = 7 * DAY_SECONDS;

/** Stripe's dispute fee in the United States, in cents; it is not refunded. */
const DISPUTE_FEE_CENTS = 1500;

export const openFundsDispute = (ledger: Ledger, id: string) => openDispute(ledger, id, true);
export const openInquiry = (ledger: Ledger, id: string) => openDispute(ledger, id, false);

/** @param withdrawsFunds false for an inquiry */
export function openDispute(ledger: Ledger, chargeId: string, withdrawsFunds: boolean): Dispute {
  const charge = ledger.find('charge', chargeId, 'charge');
  if (charge.status !== 'succeeded' || charge.disputed) {
    throw invalidParamError('charge', `Charge ${chargeId} cannot be disputed.`);
  }
  const isFinal = isDebitType(charge.payment_method_details?.type);
  if (isFinal && !withdrawsFunds) {
    throw invalidParamError('charge', 'A bank does not inquire about a debit.');
  }
  const evidenceDueAt = isFinal ? null : nextMidnight(ledger.now() + RESPONSE_SECONDS) - 1;
  const dispute = newDispute(ledger.now(), charge, evidenceDueAt);
  if (withdrawsFunds) {
    const remainingCents = charge.amount - charge.amount_refunded;
    const transaction = addAdjustment(
      ledger,
      dispute.id,
      charge.currency,
      -remainingCents,
      'dispute',
    );
    const withdrawn = newDispute(ledger.now(), charge, evidenceDueAt, [transaction]);
    Object.assign(dispute, withdrawn, { id: dispute.id, amount: remainingCents });
  }
  ledger.add(dispute);
  ledger.save({ ...charge, disputed: true });
  ledger.emit('charge.dispute.created', dispute);
  if (withdrawsFunds) ledger.emit('charge.dispute.funds_withdrawn', dispute);
  if (evidenceDueAt === null) ledger.emit('charge.dispute.closed', dispute);
  else ledger.schedule(evidenceDueAt, 'expire_evidence_deadline', dispute.id);
  return dispute;
}

/** Closes a dispute as lost: no evidence was submitted before the deadline. */
export function expireEvidenceDeadline(ledger: Ledger, id: string) {
  const dispute = ledger.find('dispute', id);
  if (!dispute.status.endsWith('needs_response')) return;
  dispute.evidence_details.past_due = true;
  closeDispute(ledger, dispute, 'lost');
}

/** @throws {StripeError} 400 if the dispute is already closed */
export function closeDispute(ledger: Ledger, dispute: Dispute, outcome: 'won' | 'lost'): Dispute {
  if (isClosed(dispute)) throw invalidParamError('dispute', 'This dispute is already closed.');
  ledger.unschedule('expire_evidence_deadline', dispute.id);
  const inquiry = dispute.status.startsWith('warning');
  dispute.status = inquiry ? 'warning_closed' : outcome;
  if (!inquiry && outcome === 'won') {
    const { id, currency, amount } = dispute;
    dispute.balance_transactions.push(
      addAdjustment(ledger, id, currency, amount, 'dispute_reversal'),
    );
    dispute.is_charge_refundable = true;
  }
  ledger.save(dispute);
  if (dispute.status === 'won') ledger.emit('charge.dispute.funds_reinstated', dispute);
  ledger.emit('charge.dispute.closed', dispute);
  return dispute;
}

/** Closes the inquiries about a charge. A full refund resolves them: https://docs.stripe.com/disputes/how-disputes-work */
export function closeInquiries(ledger: Ledger, charge: string) {
  for (const dispute of ledger.listAll('dispute', { fields: { charge } }))
    if (dispute.status.startsWith('warning') && !isClosed(dispute))
      closeDispute(ledger, dispute, 'won');
}

const isClosed = ({ status }: Dispute) => ['won', 'lost', 'warning_closed'].includes(status);

type AdjustmentReason = 'dispute' | 'dispute_reversal';

function addAdjustment(
  ledger: Ledger,
  source: string,
  currency: string,
  amount: number,
  adjustmentReason: AdjustmentReason,
) {
  const isWithdrawal = adjustmentReason === 'dispute';
  const transaction: BalanceTransaction = newBalanceTransaction(ledger.now(), {
    ...convertToBalance(ledger, amount, currency),
    source,
    type: 'adjustment',
    reporting_category: adjustmentReason,
    description: isWithdrawal ? 'Chargeback withdrawal' : 'Chargeback reversal',
    ...(isWithdrawal && { fee: DISPUTE_FEE_CENTS, fee_description: 'Dispute fee' }),
  });
  schedulePayoutRun(ledger);
  return ledger.add(transaction);
}
