import type { WorkerDeps } from '../deps.ts';
import { loadPaymentContext } from '../payment-context.ts';
import { fetchAndSync } from '../sync.ts';
import type { CompareOptions, ReconciledAccount, Reporter } from './difference.ts';

/** Reports that a donation differs from Stripe and, unless this is a dry run, updates it. */
export async function repairDonation(
  deps: WorkerDeps,
  { id: organizationId, account }: ReconciledAccount,
  { id, description }: { id: string; description: string },
  { repair }: CompareOptions,
  report: Reporter,
): Promise<void> {
  const context = repair ? await loadPaymentContext(deps.db, account, id) : undefined;
  const outcome = context && (await fetchAndSync(deps, context));
  // The payment belongs to another system: it names no organization and is not recorded here.
  if (outcome === 'ignored') return;
  report.onDifference({ organizationId, id, description, isRepaired: outcome === 'recorded' });
}
