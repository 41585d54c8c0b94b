/**
 * Simulated payouts: pending → in_transit → paid or failed.
 *
 * Every midnight (UTC) the available balance is paid out, as in Stripe's daily payout schedule.
 */
import type { Ledger } from './ledger.ts';
import type { ListFilters } from './list-filters.ts';
import { newBalanceTransaction } from './objects/balance-transaction.ts';
import { newPayout } from './objects/payout.ts';
import { StripeError } from './stripe-error.ts';
import type { BalanceTransaction, Payout } from './stripe-types.ts';

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Next midnight in UTC, in seconds, when funds become available and payouts are created. */
export const nextMidnight = (now: number) => (Math.floor(now / DAY_SECONDS) + 1) * DAY_SECONDS;

/** Schedules the account's payout run for next midnight, unless it is already scheduled. */
export function schedulePayoutRun(ledger: Ledger) {
  if (!ledger.isScheduled('run_payouts', ledger.account)) {
    ledger.schedule(nextMidnight(ledger.now()), 'run_payouts', ledger.account);
  }
}

/** Matches balance transactions that belong to no payout yet. */
const NOT_PAID_OUT = { hidden: { payout: null } };

/** The daily payout run: makes pending funds available, and pays out the available balance. */
export function runPayouts(ledger: Ledger) {
  const dueTransactions: ListFilters = {
    fields: { status: 'pending' },
    ranges: { available_on: { lte: ledger.now() } },
  };
  ledger.updateAll('balance_transaction', dueTransactions, { body: { status: 'available' } });
  for (const [currency, amount] of balanceByCurrency(ledger, 'available')) {
    if (amount > 0) createAutomaticPayout(ledger, currency, amount);
  }
  if (balanceByCurrency(ledger, 'pending').size) schedulePayoutRun(ledger);
}

/** Returns the balance by currency, without funds that belong to a payout. */
export function balanceByCurrency(
  ledger: Ledger,
  status: 'available' | 'pending',
): Map<string, number> {
  const balances = new Map<string, number>();
  for (const { currency, net } of transactionsWithoutPayout(ledger, status)) {
    balances.set(currency, (balances.get(currency) ?? 0) + net);
  }
  return balances;
}

const transactionsWithoutPayout = (ledger: Ledger, status: string): BalanceTransaction[] =>
  ledger.listAll('balance_transaction', { ...NOT_PAID_OUT, fields: { status } });

/**
 * Pays out the whole available balance of a currency, and links its balance transactions to the
 * payout.
 */
function createAutomaticPayout(ledger: Ledger, currency: string, amount: number) {
  const arrival_date = nextMidnight(ledger.now()) + DAY_SECONDS;
  const payout = newPayout(ledger.now(), { amount, currency, arrival_date, automatic: true });
  const { id } = payout;
  const paidOutTransactions = { ...NOT_PAID_OUT, fields: { status: 'available', currency } };
  ledger.updateAll('balance_transaction', paidOutTransactions, { hidden: { payout: id } });
  startPayout(ledger, payout);
}

/** @throws {StripeError} 400 if the available balance is too low */
export function createPayout(ledger: Ledger, amount: number, currency: string): Payout {
  const availableCents = balanceByCurrency(ledger, 'available').get(currency) ?? 0;
  if (amount > availableCents) {
    throw new StripeError(400, {
      type: 'invalid_request_error',
      code: 'balance_insufficient',
      message: `You have insufficient funds in your Stripe account for this transfer. Your card balance is too low.`,
    });
  }
  const arrival_date = nextMidnight(ledger.now()) + DAY_SECONDS;
  const input = { amount, currency, arrival_date, automatic: false };
  return startPayout(ledger, newPayout(ledger.now(), input));
}

function startPayout(ledger: Ledger, payout: Payout): Payout {
  payout.balance_transaction = addPayoutTransaction(
    ledger,
    payout,
    -payout.amount,
    'payout',
    payout.automatic,
  );
  ledger.add(payout);
  ledger.emit('payout.created', payout);
  ledger.schedule(ledger.now() + HOUR_SECONDS, 'mark_payout_in_transit', payout.id);
  ledger.schedule(payout.arrival_date, 'complete_payout', payout.id);
  return payout;
}

/** As at Stripe, the balance transaction of an automatic payout belongs to the payout itself. */
function addPayoutTransaction(
  ledger: Ledger,
  payout: Payout,
  amount: number,
  type: string,
  within: boolean,
): string {
  const { id, currency, description } = payout;
  const transaction = newBalanceTransaction(ledger.now(), {
    amount,
    currency,
    type,
    reporting_category: type === 'payout' ? 'payout' : 'payout_reversal',
    source: id,
    description,
  });
  ledger.add(transaction, within ? { payout: id } : {});
  if (amount > 0) schedulePayoutRun(ledger);
  return transaction.id;
}

/** Takes Stripe's monthly fee for its products, which belongs to no payment, from the available balance. */
export function chargeMonthlyFee(ledger: Ledger, amount: number, currency: string) {
  return addAccountTransaction(ledger, {
    amount: -amount,
    currency,
    type: 'stripe_fee',
    reporting_category: 'fee',
    description: 'Radar for Fraud Teams: monthly fee',
  });
}

/** Holds a part of the available balance as a reserve, or releases it if the amount is negative. */
export function holdReserve(ledger: Ledger, amount: number, currency: string) {
  return addAccountTransaction(ledger, {
    amount: -amount,
    currency,
    type: amount > 0 ? 'reserve_hold' : 'reserve_release',
    reporting_category: 'risk_reserved_funds',
    description: 'Reserve',
  });
}

function addAccountTransaction(
  ledger: Ledger,
  input: Omit<Parameters<typeof newBalanceTransaction>[1], 'source'>,
): BalanceTransaction {
  schedulePayoutRun(ledger);
  return ledger.add(newBalanceTransaction(ledger.now(), { ...input, source: null }));
}

export function markInTransit(ledger: Ledger, id: string) {
  const payout = ledger.find('payout', id);
  if (payout.status !== 'pending') return;
  saveAndEmit(ledger, { ...payout, status: 'in_transit' }, 'payout.updated');
}

/** Marks a payout as paid, or fails it if the account has the setting `payout_fails`. */
export function completePayout(ledger: Ledger, id: string) {
  const payout = ledger.find('payout', id);
  if (payout.status !== 'pending' && payout.status !== 'in_transit') return;
  if (ledger.hasSetting('payout_fails')) {
    ledger.set('payout_fails', false);
    return failPayout(ledger, payout);
  }
  const reconciliation_status = payout.automatic ? 'completed' : payout.reconciliation_status;
  const trace_id = { status: 'supported', value: `SANDBOX${payout.id.slice(3, 13)}` };
  const paid = { ...payout, status: 'paid', reconciliation_status, trace_id } as const;
  saveAndEmit(ledger, paid, 'payout.paid');
  if (payout.automatic) ledger.emit('payout.reconciliation_completed', paid);
}

/** Fails a payout as if the bank had returned it, and credits the balance. */
function failPayout(ledger: Ledger, payout: Payout) {
  const failed: Payout = {
    ...payout,
    status: 'failed',
    failure_code: 'account_closed',
    failure_message: 'The bank account has been closed.',
    failure_balance_transaction: addPayoutTransaction(
      ledger,
      payout,
      payout.amount,
      'payout_failure',
      false,
    ),
  };
  saveAndEmit(ledger, failed, 'payout.failed');
}

function saveAndEmit(ledger: Ledger, payout: Payout, type: string) {
  ledger.emit(type, ledger.save(payout));
}
