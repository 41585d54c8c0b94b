import type { Db } from '../db/schema.ts';
import { countIncompletePayouts } from '../payments/incomplete-payouts.ts';
import { failure, passed, type CheckResult } from './check-result.ts';

/** Checks that the transactions of each payout that Stripe has itemized add up to its amount. */
export async function checkPayouts({ db }: { db: Db }): Promise<CheckResult> {
  const count = await countIncompletePayouts(db);
  if (count === 0) return passed('Payouts: their transactions add up.');
  return failure(
    `Payouts: the transactions of ${count} do not add up to the amount.`,
    'Run: connect-embed reconcile',
  );
}
