import type { WorkerDeps } from '../../env.ts';
import { syncPayment } from '../sync-payment.ts';
import type { CompareOptions } from './compare.ts';
import type { ReconciledAccount, Reporter } from './difference.ts';

/** Reports that a gift differs, and sets it to what the processor tells. */
export async function repairDonation(
  deps: WorkerDeps,
  { id: organizationId, account }: ReconciledAccount,
  { id, what }: { id: string; what: string },
  { repair }: CompareOptions,
  report: Reporter,
): Promise<void> {
  const outcome = repair
    ? await syncPayment(deps, { organizationId, account, paymentIntentId: id })
    : undefined;
  // Not ours after all: a payment that names no organization and that nobody recorded.
  if (outcome === 'ignored') return;
  report.onDifference({ organizationId, id, what, healed: outcome === 'recorded' });
}
