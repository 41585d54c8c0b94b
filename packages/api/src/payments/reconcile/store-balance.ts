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
  const { emptiedAt, payoutIds } = comparedAt
    ? { emptiedAt: new Map<string, number>(), payoutIds: new Set<string>() }
    : await findEarlierPayouts(deps, account);
  const isPaidOut = (transaction: BalanceTransactionSnapshot) => {
    const { sourceId, currency, availableOn, createdAt } = transaction;
    // An automatic payout contains itself, and is available to the bank only when it arrives.
    if (payoutIds.has(sourceId ?? '')) return true;
    // What was created later may be available since the start of the same day.
    const ready = Math.max(availableOn.getTime(), createdAt.getTime());
    return ready <= (emptiedAt.get(currency) ?? -Infinity);
  };
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

/** Returns the ids of the automatic payouts, and when the latest one of each currency was created. */
async function findEarlierPayouts({ processor }: WorkerDeps, account: string) {
  const emptiedAt = new Map<string, number>();
  const payoutIds = new Set<string>();
  for await (const payouts of processor.listPayouts(account, new Date(0))) {
    for (const { id, automatic, status, currency, created } of payouts) {
      // The money of one that failed is back in the balance.
      if (!automatic || status === 'failed' || status === 'canceled') continue;
      payoutIds.add(id);
      // The newest come first.
      if (!emptiedAt.has(currency)) emptiedAt.set(currency, created * 1000);
    }
  }
  return { emptiedAt, payoutIds };
}

const startOf = (times: readonly number[]) =>
  new Date(times.length > 0 ? Math.min(...times) - LONGEST_PENDING_MS : 0);
