import type Stripe from 'stripe';
import { forOrganization } from '../../db/organization-scope.ts';
import type { WorkerDeps } from '../deps.ts';
import type { Db } from '../../db/schema.ts';
import { payoutStatus } from '../stripe/payouts.ts';
import { syncPayout } from '../sync-payout.ts';
import type { CompareOptions, ReconciledAccount, Reporter } from './difference.ts';

/** Compares an organization's payouts and their statuses with Stripe's list of payouts. */
export async function comparePayouts(
  deps: WorkerDeps,
  { id: organizationId, account }: ReconciledAccount,
  { from, repair }: CompareOptions,
  report: Reporter,
): Promise<void> {
  for await (const payouts of deps.processor.listPayouts(account, from)) {
    const stored = await loadPayouts(deps.db, organizationId, payouts);
    for (const payout of payouts) {
      const description = describeDifference(stored.get(payout.id), payout);
      if (!description) continue;
      if (repair) await syncPayout(deps, { organizationId, account, payoutId: payout.id });
      report.onDifference({ organizationId, id: payout.id, description, isRepaired: repair });
    }
    report.onChecked(payouts.length);
  }
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
  return stored.arrival_date.getTime() === payout.arrival_date * 1000
    ? undefined
    : 'the payout arrives on another day';
}

async function loadPayouts(db: Db, organizationId: string, payouts: readonly { id: string }[]) {
  const rows = await forOrganization(db, organizationId)
    .selectFrom('payout')
    .select(['processor_payout_id', 'status', 'amount_cents', 'arrival_date'])
    .where(
      'processor_payout_id',
      'in',
      payouts.map(({ id }) => id),
    )
    .execute();
  return new Map(rows.map((row) => [row.processor_payout_id!, row]));
}
