import type { WorkDeps } from '../../env.ts';
import { syncAccount } from '../accounts.ts';
import { registerDomains } from '../domains.ts';
import { compareAfter } from './compare-after.ts';
import { compareGifts } from './compare-gifts.ts';
import { comparePayouts } from './compare-payouts.ts';
import { comparePlans } from './compare-plans.ts';
import type { Reconciled, Reporter } from './difference.ts';

export interface CompareOptions {
  /** What the processor made before that is not looked at. */
  from: Date;
  /** False: only look. */
  heal: boolean;
}

/**
 * Holds our rows against the processor's own lists, and sets right what differs: plans and gifts
 * first, for refunds, disputes and deposits are about them.
 */
export async function compare(
  deps: WorkDeps,
  organization: Reconciled,
  options: CompareOptions,
  report: Reporter,
): Promise<void> {
  if (options.heal) {
    await syncAccount(deps, organization.account);
    await registerDomains(deps, organization);
  }
  await comparePlans(deps, organization, options, report);
  await compareGifts(deps, organization, options, report);
  await compareAfter(deps, organization, options, report);
  await comparePayouts(deps, organization, options, report);
  if (!options.heal) return;
  const compared_at = new Date();
  await deps.db
    .insertInto('reconciliation')
    .values({ organization_id: organization.id, compared_at })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ compared_at }))
    .execute();
}
