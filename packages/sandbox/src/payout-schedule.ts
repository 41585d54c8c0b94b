/** When an account's balance is looked at. What comes of it: `payout-events.ts`. */
import type { Ledger } from './ledger.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** Midnight in UTC, when balances become available and payouts are made. */
export const nextMidnight = (now: number) => (Math.floor(now / DAY_SECONDS) + 1) * DAY_SECONDS;

/** Has the account settled next midnight, once however many lines there are. */
export function schedulePayoutRun(ledger: Ledger) {
  if (!ledger.isScheduled('settle', ledger.account)) {
    ledger.schedule(nextMidnight(ledger.now()), 'settle', ledger.account);
  }
}
