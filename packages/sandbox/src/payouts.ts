/**
 * From a balance to a bank account: pending → in_transit → paid, failed or canceled.
 *
 * Every midnight (UTC) what has become available is paid out, as with Stripe's daily schedule.
 */
import type { Books } from './books.ts';
import { newBalanceTransaction } from './objects/balance-transaction.ts';
import { newPayout } from './objects/payout.ts';
import { nextMidnight, settleLater } from './settlement.ts';
import { StripeError, invalidParam } from './stripe-error.ts';
import type { BalanceTransaction, Payout } from './wire.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** Nothing has paid it out yet. */
const UNPAID = { hidden: { payout: null } };

/** Money becomes available, and leaves. */
export function settle(books: Books) {
  const due = { fields: { status: 'pending' }, within: { available_on: { lte: books.now() } } };
  books.patch('balance_transaction', due, { body: { status: 'available' } });
  for (const [currency, amount] of sums(books, 'available')) {
    if (amount > 0) payOut(books, currency, amount);
  }
  if (sums(books, 'pending').size) settleLater(books);
}

/** What there is of each currency, not yet paid out. */
export function sums(books: Books, status: 'available' | 'pending'): Map<string, number> {
  const found = new Map<string, number>();
  for (const { currency, net } of unpaid(books, status)) {
    found.set(currency, (found.get(currency) ?? 0) + net);
  }
  return found;
}

const unpaid = (books: Books, status: string): BalanceTransaction[] =>
  books.all('balance_transaction', { ...UNPAID, fields: { status } });

/** Takes everything of a currency that is available, and knows what it took. */
function payOut(books: Books, currency: string, amount: number) {
  const arrival_date = nextMidnight(books.now()) + DAY;
  const payout = newPayout(books.now(), { amount, currency, arrival_date, automatic: true });
  const { id } = payout;
  const taken = { ...UNPAID, fields: { status: 'available', currency } };
  books.patch('balance_transaction', taken, { hidden: { payout: id } });
  send(books, payout);
}

export type ManualPayout = {
  amount: number;
  currency: string;
  description?: string | undefined;
  metadata?: Record<string, string> | undefined;
  statement_descriptor?: string | undefined;
};

/** @throws {StripeError} 400 when there is not so much */
export function createPayout(books: Books, { amount, currency, ...rest }: ManualPayout): Payout {
  const there = sums(books, 'available').get(currency) ?? 0;
  if (amount > there) {
    throw new StripeError(400, {
      type: 'invalid_request_error',
      code: 'balance_insufficient',
      message: `You have insufficient funds in your Stripe account for this transfer. Your card balance is too low.`,
    });
  }
  const arrival_date = nextMidnight(books.now()) + DAY;
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const input = { ...known, amount, currency, arrival_date, automatic: false };
  return send(books, newPayout(books.now(), input));
}

function send(books: Books, payout: Payout): Payout {
  payout.balance_transaction = move(books, payout, -payout.amount, 'payout', payout.automatic);
  books.add(payout);
  books.emit('payout.created', payout);
  books.later(books.now() + HOUR, 'payout_leaves', payout.id);
  books.later(payout.arrival_date, 'payout_arrives', payout.id);
  return payout;
}

/** An automatic payout's own line is among those it consists of, as at Stripe. */
function move(books: Books, payout: Payout, amount: number, type: string, within: boolean): string {
  const { id, currency, description } = payout;
  const line = newBalanceTransaction(books.now(), {
    amount,
    currency,
    type,
    source: id,
    description,
  });
  books.add(line, within ? { payout: id } : {});
  if (amount > 0) settleLater(books);
  return line.id;
}

export function sendOff(books: Books, id: string) {
  const payout = books.find('payout', id);
  if (payout.status !== 'pending') return;
  tell(books, { ...payout, status: 'in_transit' }, 'payout.updated');
}

/** It arrives, unless the account's next payout was made to fail. */
export function arrive(books: Books, id: string) {
  const payout = books.find('payout', id);
  if (payout.status !== 'pending' && payout.status !== 'in_transit') return;
  if (books.setting('payout_fails')) {
    books.set('payout_fails', false);
    return failPayout(books, payout);
  }
  const reconciliation_status = payout.automatic ? 'completed' : payout.reconciliation_status;
  const trace_id = { status: 'supported', value: `SANDBOX${payout.id.slice(3, 13)}` };
  const paid = { ...payout, status: 'paid', reconciliation_status, trace_id } as const;
  tell(books, paid, 'payout.paid');
  if (payout.automatic) books.emit('payout.reconciliation_completed', paid);
}

/** The bank sent it back, and the money is on the balance again. */
export function failPayout(books: Books, payout: Payout) {
  const failed: Payout = {
    ...payout,
    status: 'failed',
    failure_code: 'account_closed',
    failure_message: 'The bank account has been closed.',
    failure_balance_transaction: move(books, payout, payout.amount, 'payout_failure', false),
  };
  tell(books, failed, 'payout.failed');
}

/** @throws {StripeError} 400 for one that is under way */
export function cancelPayout(books: Books, payout: Payout): Payout {
  if (payout.status !== 'pending') {
    throw invalidParam('payout', `Payouts that are ${payout.status} cannot be canceled.`);
  }
  const back = move(books, payout, payout.amount, 'payout_cancel', false);
  const canceled = { ...payout, status: 'canceled', failure_balance_transaction: back };
  return tell(books, canceled, 'payout.canceled');
}

function tell(books: Books, payout: Payout, type: string): Payout {
  books.emit(type, books.save(payout));
  return payout;
}
