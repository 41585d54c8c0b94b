import { sql } from 'kysely';
import type Stripe from 'stripe';
import { forOrganization } from '../../db/organization-scope.ts';
import type { WorkerDeps } from '../deps.ts';
import type { Db } from '../../db/schema.ts';
import { payoutStatus } from '../stripe/payouts.ts';
import { syncPayout } from '../sync-payout.ts';
import type { CompareOptions, ReconciledAccount, Reporter } from './difference.ts';

/**
 * Compares an organization's payouts and their statuses with Stripe's list of payouts. The transactions of an automatic
 * payout must add up to it once Stripe has listed them all.
 */
export async function comparePayouts(
  deps: WorkerDeps,
  organization: ReconciledAccount,
  { from, repair }: CompareOptions,
  report: Reporter,
): Promise<void> {
  const { id: organizationId, account } = organization;
  for await (const payouts of deps.processor.listPayouts(account, from)) {
    const stored = await loadPayouts(deps.db, organizationId, payouts);
    for (const payout of payouts) {
      const description = describeDifference(stored.get(payout.id), payout);
      if (!description) continue;
      const isRepaired = repair && (await repairPayout(deps, organization, payout));
      report.onDifference({ organizationId, id: payout.id, description, isRepaired });
    }
    report.onChecked(payouts.length);
  }
}

/** @returns false if the transactions that Stripe lists still do not add up to the payout */
async function repairPayout(
  deps: WorkerDeps,
  { id: organizationId, account }: ReconciledAccount,
  payout: Stripe.Payout,
): Promise<boolean> {
  await syncPayout(deps, { organizationId, account, payoutId: payout.id });
  const stored = await loadPayouts(deps.db, organizationId, [payout]);
  return describeDifference(stored.get(payout.id), payout) === undefined;
}

type StoredPayout =
  Awaited<ReturnType<typeof loadPayouts>> extends Map<string, infer Row> ? Row : never;

function describeDifference(
  stored: StoredPayout | undefined,
  payout: Stripe.Payout,
): string | undefined {
  const status = payoutStatus(payout);
  if (!stored) return `a payout of ${payout.amount} ${payout.currency} was not recorded`;
  if (stored.status !== status) return `the payout is ${status}, recorded as ${stored.status}`;
  if (stored.amount_cents !== payout.amount) {
    return `the payout is of ${payout.amount}, recorded as ${stored.amount_cents}`;
  }
  if (stored.arrival_date.getTime() !== payout.arrival_date * 1000)
    return 'the payout arrives on another day';
  const isItemized = payout.automatic && payout.reconciliation_status === 'completed';
  if (!isItemized || stored.listed_cents === payout.amount) return undefined;
  return `the transactions of the payout add up to ${stored.listed_cents} instead of ${payout.amount}`;
}

async function loadPayouts(db: Db, organizationId: string, payouts: readonly { id: string }[]) {
  const rows = await forOrganization(db, organizationId)
    .selectFrom('payout')
    .leftJoin('balance_transaction', 'balance_transaction.payout_id', 'payout.id')
    .select([
      'payout.processor_payout_id',
      'payout.status',
      'payout.amount_cents',
      'payout.arrival_date',
      sql<number>`coalesce(sum(balance_transaction.amount_cents - balance_transaction.fee_cents), 0)::float8`.as(
        'listed_cents',
      ),
    ])
    .where(
      'processor_payout_id',
      'in',
      payouts.map(({ id }) => id),
    )
    .groupBy('payout.id')
    .execute();
  return new Map(rows.map((row) => [row.processor_payout_id!, row]));
}
