import type { WorkDeps } from '../../env.ts';
import { syncGift } from '../sync-gift.ts';
import type { CompareOptions } from './compare.ts';
import type { Reconciled, Reporter } from './difference.ts';

/** Reports that a gift differs, and sets it to what the processor tells. */
export async function healGift(
  deps: WorkDeps,
  { id: organizationId, account }: Reconciled,
  { id, what }: { id: string; what: string },
  { heal }: CompareOptions,
  report: Reporter,
): Promise<void> {
  const outcome = heal
    ? await syncGift(deps, { organizationId, account, paymentIntentId: id })
    : undefined;
  // Not ours after all: a payment that names no organization and that nobody recorded.
  if (outcome === 'ignored') return;
  report.differs({ organizationId, id, what, healed: outcome === 'recorded' });
}
