import type { WorkerDeps } from '../deps.ts';
import { syncAccount } from '../accounts.ts';
import { registerDomains } from '../domains.ts';
import { compareTotals } from '../../db/donation-totals.ts';
import { compareRefundsAndDisputes } from './compare-refunds-disputes.ts';
import { compareDonations } from './compare-donations.ts';
import { comparePayouts } from './compare-payouts.ts';
import { compareSubscriptions } from './compare-subscriptions.ts';
import {
  saveProgress,
  type ComparedAccount,
  type CompareOptions,
  type ReconciledAccount,
  type Reporter,
} from './difference.ts';
import { storeBalance } from './store-balance.ts';

/**
 * Compares an organization's rows with Stripe's lists and repairs differences. Subscriptions and
 * donations come first, because refunds, disputes and payouts refer to them.
 */
export async function compare(
  deps: WorkerDeps,
  organization: ComparedAccount,
  options: CompareOptions,
  report: Reporter,
): Promise<void> {
  if (options.repair) {
    await syncAccount(deps, organization.account);
    await registerDomains(deps, organization);
  }
  await compareSubscriptions(deps, organization, options, report);
  await compareDonations(deps, organization, options, report);
  await compareRefundsAndDisputes(deps, organization, options, report);
  await comparePayouts(deps, organization, options, report);
  await reportTotals(deps, organization, options, report);
  if (!options.repair) return;
  if (organization.isCounted) await storeBalance(deps, organization, options.from);
  await saveProgress(deps.db, organization, { compared_at: new Date() });
}

/** Compares the stored totals with the donations of this database, after these have been repaired. */
async function reportTotals(
  { db }: WorkerDeps,
  { id: organizationId }: ReconciledAccount,
  options: CompareOptions,
  report: Reporter,
): Promise<void> {
  const differences = await compareTotals(db, organizationId, options);
  for (const { period, starts_at, campaign_id, currency } of differences) {
    report.onDifference({
      organizationId,
      id: campaign_id || organizationId,
      description: `the ${currency} total of the ${period} from ${starts_at.toISOString()} differs from its donations`,
      isRepaired: options.repair,
    });
  }
}
