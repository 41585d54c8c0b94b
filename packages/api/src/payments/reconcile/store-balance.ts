import { sql } from 'kysely';
import type { WorkerDeps } from '../deps.ts';
import { lockPayoutLinks } from '../payout-links.ts';
import { saveUnpaid } from '../save-balance-transactions.ts';
import type { BalanceTransactionSnapshot } from '../stripe/payouts.ts';
import type { ComparedAccount } from './difference.ts';

/** Longer than the money of any payment takes to become available. */
const LONGEST_PENDING_MS = 90 * 86_400_000;

/**
 * Saves the balance transactions that no payout contains yet. Payouts come before, so that these are the rest.
 *
 * The first time, payouts from before are not stored, and Stripe's list does not say which transactions they contain.
 * An automatic payout takes everything that is available in its currency, so what was available before the
 * latest one is paid out. Without automatic payouts, the whole list is the rest.
 */
export async function storeBalance(
  deps: WorkerDeps,
  organization: ComparedAccount,
  from: Date,
): Promise<void> {
  const { id: organizationId, account, comparedAt } = organization;
  const emptiedAt = comparedAt ? new Map<string, number>() : await findEmptiedAt(deps, account);
  const isPaidOut = ({ currency, availableOn }: BalanceTransactionSnapshot) =>
    availableOn.getTime() <= (emptiedAt.get(currency) ?? -Infinity);
  const start = comparedAt ? from : startOf([...emptiedAt.values()]);
  for await (const listed of deps.processor.listBalanceTransactions(account, start)) {
    const unpaid = listed.filter((transaction) => !isPaidOut(transaction));
    if (unpaid.length === 0) continue;
    await deps.db.transaction().execute(async (tx) => {
      await sql`select ${lockPayoutLinks(organizationId, 'payout')}`.execute(tx);
      await saveUnpaid(tx, organizationId, unpaid);
    });
  }
}

/** Returns when the latest automatic payout of each currency was created. */
async function findEmptiedAt({ processor }: WorkerDeps, account: string) {
  const times = new Map<string, number>();
  for await (const payouts of processor.listPayouts(account, new Date(0))) {
    for (const { automatic, currency, created } of payouts) {
      // The newest come first.
      if (automatic && !times.has(currency)) times.set(currency, created * 1000);
    }
  }
  return times;
}

const startOf = (times: readonly number[]) =>
  new Date(times.length > 0 ? Math.min(...times) - LONGEST_PENDING_MS : 0);
