import type { WorkDeps } from '../env.ts';
import { takeReading } from '../money/reading.ts';
import { applyGift } from '../money/record-gift.ts';
import { sendReference } from '../money/send-reference.ts';
import { isRecorded } from '../money/sync-gift.ts';
import type { Outcome } from '../processor-events/handler.ts';
import { isKnown, keepEvent } from '../processor-events/keep-event.ts';
import { findPlans, wordsOf } from './known-plan.ts';
import { writePlan } from './write-plan.ts';

/** Where a plan is to be looked up, and why. */
export interface PlanAddress {
  organizationId: string;
  /** The organization's account at the processor. */
  account: string;
  subscriptionId: string;
  event?: { id: string; type: string };
  /** An invoice of the plan that is said to be paid. */
  paidInvoiceId?: string;
}

type SyncDeps = Pick<WorkDeps, 'db' | 'processor' | 'webhooks' | 'log'>;

/**
 * Asks the processor for a plan and sets it to the truth; with it, a payment that has been made.
 *
 * The payment becomes a donation by its intent, which is unique: however often and in whatever order
 * it is told of, it is one donation. docs/decisions/0036-recurring-plans.md
 */
export async function syncPlan(deps: SyncDeps, address: PlanAddress): Promise<Outcome> {
  const { db, processor, webhooks } = deps;
  const { organizationId, account, subscriptionId, event } = address;
  if (event && (await isKnown(db, event.id))) return 'duplicate';
  // Asked before the transaction: no connection waits for the processor.
  const reading = await takeReading(db);
  const [truth, gift, plans] = await Promise.all([
    processor.retrievePlan(subscriptionId, account),
    readPayment(deps, address),
    findPlans(db, organizationId, [subscriptionId]),
  ]);
  const plan = plans.get(subscriptionId);
  if (!plan && truth.metadata['organization_id'] !== organizationId) return 'ignored';
  const outcome = await db.transaction().execute(async (tx): Promise<Outcome> => {
    if (event && !(await keepEvent(tx, organizationId, event))) return 'duplicate';
    const changed = await writePlan(tx, { organizationId, truth, reading });
    if (!gift) return changed ? 'recorded' : 'duplicate';
    // The intent of an invoice says nothing of whose it is: the plan does, and ours more than its copy.
    const named = { ...gift, metadata: { ...truth.metadata, ...(plan && wordsOf(plan)) } };
    const paid = await applyGift(tx, webhooks.enqueue, { organizationId, gift: named, reading });
    return paid || changed ? 'recorded' : 'duplicate';
  });
  if (gift) await sendReference(deps, { organizationId, account, gift });
  return outcome;
}

async function readPayment({ db, processor }: SyncDeps, address: PlanAddress) {
  const { organizationId, paidInvoiceId, account } = address;
  const intentId =
    paidInvoiceId && (await processor.retrieveInvoicePayment(paidInvoiceId, account));
  if (!intentId) return undefined;
  const depth = (await isRecorded(db, organizationId, intentId)) ? 'everything' : 'fresh';
  return await processor.retrievePaidGift(intentId, account, depth);
}
