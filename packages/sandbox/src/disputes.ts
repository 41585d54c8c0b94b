/**
 * A bank takes a payment back: needs_response → under_review → won or lost. An inquiry only asks,
 * and moves no money.
 */
import type { Books } from './books.ts';
import { newBalanceTransaction } from './objects/balance-transaction.ts';
import { newDispute } from './objects/dispute.ts';
import { nextMidnight, settleLater } from './settlement.ts';
import { invalidParam } from './stripe-error.ts';
import type { BalanceTransaction, Dispute } from './wire.ts';

const DAY = 24 * 60 * 60;

/** Banks give about a week to answer, and take about two months to decide. */
const ANSWER_SECONDS = 7 * DAY;
const DECISION_SECONDS = 60 * DAY;

/** What a dispute costs in the United States; it is not given back. */
const FEE = 1500;

/** Stripe's words for evidence whose outcome is known, and how soon that comes here. */
const KNOWN_OUTCOMES: Record<string, 'won' | 'lost'> = {
  winning_evidence: 'won',
  losing_evidence: 'lost',
};
const SOON_SECONDS = 2;

const open = (books: Books, id: string) => openDispute(books, id, true);
const inquire = (books: Books, id: string) => openDispute(books, id, false);
export { inquire, open };

/** @param takes false for an inquiry */
export function openDispute(books: Books, chargeId: string, takes: boolean): Dispute {
  const charge = books.find('charge', chargeId, 'charge');
  if (charge.status !== 'succeeded' || charge.disputed) {
    throw invalidParam('charge', `Charge ${chargeId} cannot be disputed.`);
  }
  const due = nextMidnight(books.now() + ANSWER_SECONDS) - 1;
  const dispute = newDispute(books.now(), charge, due);
  if (takes) {
    const left = charge.amount - charge.amount_refunded;
    const line = move(books, dispute.id, charge.currency, -left, 'dispute');
    const taken = newDispute(books.now(), charge, due, [line]);
    Object.assign(dispute, taken, { id: dispute.id, amount: left });
  }
  books.add(dispute);
  books.save({ ...charge, disputed: true });
  books.emit('charge.dispute.created', dispute);
  if (takes) books.emit('charge.dispute.funds_withdrawn', dispute);
  books.later(due, 'dispute_due', dispute.id);
  return dispute;
}

/** The last moment to answer has passed: silence loses. */
export function passDeadline(books: Books, id: string) {
  const dispute = books.find('dispute', id);
  if (!dispute.status.endsWith('needs_response')) return;
  dispute.evidence_details.past_due = true;
  closeDispute(books, dispute, 'lost');
}

export function decide(books: Books, id: string) {
  const dispute = books.find('dispute', id);
  if (!dispute.status.endsWith('under_review')) return;
  const outcome = KNOWN_OUTCOMES[dispute.evidence.uncategorized_text ?? ''] ?? 'lost';
  closeDispute(books, dispute, outcome);
}

type Answered = { evidence?: object | undefined; submit?: boolean | undefined };

/** @throws {StripeError} 400 once it is closed */
export function answerDispute(books: Books, dispute: Dispute, { evidence, submit }: Answered) {
  if (!dispute.status.endsWith('needs_response')) {
    throw invalidParam('dispute', 'This dispute is already closed or being reviewed.');
  }
  Object.assign(dispute.evidence, evidence);
  const details = dispute.evidence_details;
  details.has_evidence ||= evidence !== undefined;
  if (submit ?? evidence !== undefined) {
    details.submission_count += 1;
    details.submission_method = 'manual';
    dispute.status = dispute.status === 'needs_response' ? 'under_review' : 'warning_under_review';
    const known = KNOWN_OUTCOMES[dispute.evidence.uncategorized_text ?? ''];
    books.later(
      books.now() + (known ? SOON_SECONDS : DECISION_SECONDS),
      'dispute_decided',
      dispute.id,
    );
  }
  books.save(dispute);
  books.emit('charge.dispute.updated', dispute);
  return dispute;
}

/** @throws {StripeError} 400 for one that is closed already */
export function closeDispute(books: Books, dispute: Dispute, outcome: 'won' | 'lost'): Dispute {
  if (isClosed(dispute)) throw invalidParam('dispute', 'This dispute is already closed.');
  for (const what of ['dispute_due', 'dispute_decided']) books.never(what, dispute.id);
  const inquiry = dispute.status.startsWith('warning');
  dispute.status = inquiry ? 'warning_closed' : outcome;
  if (!inquiry && outcome === 'won') {
    const { id, currency, amount } = dispute;
    dispute.balance_transactions.push(move(books, id, currency, amount, 'dispute_reversal'));
    dispute.is_charge_refundable = true;
  }
  books.save(dispute);
  if (dispute.status === 'won') books.emit('charge.dispute.funds_reinstated', dispute);
  books.emit('charge.dispute.closed', dispute);
  return dispute;
}

export const isClosed = ({ status }: Dispute) => ['won', 'lost', 'warning_closed'].includes(status);

type Move = 'dispute' | 'dispute_reversal';

function move(books: Books, source: string, currency: string, amount: number, why: Move) {
  const away = why === 'dispute';
  const line: BalanceTransaction = newBalanceTransaction(books.now(), {
    amount,
    currency,
    source,
    type: 'adjustment',
    reporting_category: why,
    description: away ? 'Chargeback withdrawal' : 'Chargeback reversal',
    ...(away && { fee: FEE, fee_description: 'Dispute fee' }),
  });
  settleLater(books);
  return books.add(line);
}
