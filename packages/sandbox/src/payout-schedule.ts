/** Schedules the simulated daily payout run of an account; `payouts.ts` implements it. */
import type { Ledger } from './ledger.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** Next midnight in UTC, in seconds, when funds become available and payouts are created. */
export const nextMidnight = (now: number) => (Math.floor(now / DAY_SECONDS) + 1) * DAY_SECONDS;

/** Schedules the account's payout run for next midnight, unless it is already scheduled. */
export function schedulePayoutRun(ledger: Ledger) {
  if (!ledger.isScheduled('run_payouts', ledger.account)) {
    ledger.schedule(nextMidnight(ledger.now()), 'run_payouts', ledger.account);
  }
}
