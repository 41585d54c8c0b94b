import type Stripe from 'stripe';
import type { WorkDeps } from '../../env.ts';
import type { Db } from '../../db/database.ts';
import { payoutStatus } from '../../processor/payouts.ts';
import { syncPayout } from '../sync-payout.ts';
import { inBatches } from './batches.ts';
import type { CompareOptions } from './compare.ts';
import type { Reconciled, Reporter } from './difference.ts';

/** Deposits of the account are payouts here, in the same state, with their parts. */
export async function comparePayouts(
  deps: WorkDeps,
  { id: organizationId, account }: Reconciled,
  { from, heal }: CompareOptions,
  report: Reporter,
): Promise<void> {
  for await (const payouts of inBatches(deps.processor.listPayouts(account, from))) {
    const kept = await keptPayouts(deps.db, organizationId, payouts);
    for (const payout of payouts) {
      const what = differenceOf(kept.get(payout.id), payout);
      if (!what) continue;
      if (heal) await syncPayout(deps, { organizationId, account, payoutId: payout.id });
      report.differs({ organizationId, id: payout.id, what, healed: heal });
    }
    report.looked(payouts.length);
  }
}

type Kept = Awaited<ReturnType<typeof keptPayouts>> extends Map<string, infer Row> ? Row : never;

function differenceOf(kept: Kept | undefined, payout: Stripe.Payout): string | undefined {
  const status = payoutStatus(payout);
  if (!kept) return `a payout of ${payout.amount} ${payout.currency} was not recorded`;
  if (kept.status !== status) return `the payout is ${status}, recorded as ${kept.status}`;
  if (kept.amount_cents !== payout.amount) {
    return `the payout is of ${payout.amount}, recorded as ${kept.amount_cents}`;
  }
  return kept.arrival_date.getTime() === payout.arrival_date * 1000
    ? undefined
    : 'the payout arrives on another day';
}

async function keptPayouts(db: Db, organizationId: string, payouts: readonly { id: string }[]) {
  const rows = await db
    .selectFrom('payout')
    .select(['processor_payout_id', 'status', 'amount_cents', 'arrival_date'])
    .where('organization_id', '=', organizationId)
    .where(
      'processor_payout_id',
      'in',
      payouts.map(({ id }) => id),
    )
    .execute();
  return new Map(rows.map((row) => [row.processor_payout_id!, row]));
}
