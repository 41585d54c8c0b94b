import type { Updateable } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Database, Db } from '../../db/schema.ts';
import type { WorkerDeps } from '../deps.ts';
import { loadPaymentContext } from '../payment-context.ts';
import { fetchAndSync } from '../sync.ts';

/** A difference between our database and Stripe, found by reconciliation. */
export interface Difference {
  organizationId: string;
  /** Stripe's id of the object that differs. */
  id: string;
  /** Describes the difference in a sentence. */
  description: string;
  /** False if it was not repaired: a dry run, or a person must decide. */
  isRepaired: boolean;
}

/** Receives the progress of a reconciliation. */
export interface Reporter {
  onDifference(difference: Difference): void;
  /** Called after `count` more objects were compared. */
  onChecked(count: number): void;
}

/** An organization with its Stripe account id, and the mode of its keys. Records of the other mode are not compared. */
export interface ReconciledAccount {
  id: string;
  account: string;
  livemode: boolean;
}

export interface ComparedAccount extends ReconciledAccount {
  /** When it was last compared in this mode; null before the first time. */
  comparedAt: Date | null;
  /** Whether records of this mode count: docs/decisions/0125-test-and-live.md */
  isCounted: boolean;
}

export interface CompareOptions {
  /** Objects that Stripe created before this time are not listed. */
  from: Date;
  /** False for a dry run: differences are only reported. */
  repair: boolean;
}

/** Saves how far the reconciliation of an organization has come. */
export const saveProgress = (
  db: Db,
  { id, livemode }: ReconciledAccount,
  progress: Pick<
    Updateable<Database['reconciliation']>,
    'last_run_at' | 'events_processed_until' | 'compared_at'
  >,
) =>
  forOrganization(db, id)
    .insertInto('reconciliation', { livemode, ...progress })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'livemode']).doUpdateSet(progress),
    )
    .execute();

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
