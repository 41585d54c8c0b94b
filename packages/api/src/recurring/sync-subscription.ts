import type { WorkerDeps } from '../env.ts';
import { nextRowVersion } from '../money/row-version.ts';
import { applyPayment } from '../money/record-payment.ts';
import { sendReference } from '../money/send-reference.ts';
import { isRecorded } from '../money/sync-payment.ts';
import type { Outcome } from '../processor-events/event-handler.ts';
import { isEventHandled, markEventHandled } from '../processor-events/handled-events.ts';
import { findSubscriptions, originalMetadata } from './find-subscriptions.ts';
import { saveSubscription } from './save-subscription.ts';

/** Where a plan is to be looked up, and why. */
export interface SubscriptionRef {
  organizationId: string;
  /** The organization's account at the processor. */
  account: string;
  subscriptionId: string;
  event?: { id: string; type: string };
  /** An invoice of the plan that is said to be paid. */
  paidInvoiceId?: string;
}

type SyncDeps = Pick<WorkerDeps, 'db' | 'processor' | 'webhooks' | 'log'>;

/**
 * Asks the processor for a plan and sets it to the truth; with it, a payment that has been made.
 *
 * The payment becomes a donation by its intent, which is unique: however often and in whatever order
 * it is told of, it is one donation. docs/decisions/0036-recurring-plans.md
 */
export async function syncSubscription(deps: SyncDeps, ref: SubscriptionRef): Promise<Outcome> {
  const { db, processor, webhooks } = deps;
  const { organizationId, account, subscriptionId, event } = ref;
  if (event && (await isEventHandled(db, event.id))) return 'duplicate';
  // Asked before the transaction: no connection waits for the processor.
  const reading = await nextRowVersion(db);
  const [snapshot, payment, storedSubscriptions] = await Promise.all([
    processor.retrieveSubscription(subscriptionId, account),
    loadPayment(deps, ref),
    findSubscriptions(db, organizationId, [subscriptionId]),
  ]);
  const plan = storedSubscriptions.get(subscriptionId);
  if (!plan && snapshot.metadata['organization_id'] !== organizationId) return 'ignored';
  const outcome = await db.transaction().execute(async (tx): Promise<Outcome> => {
    if (event && !(await markEventHandled(tx, organizationId, event))) return 'duplicate';
    const changed = await saveSubscription(tx, { organizationId, snapshot, reading });
    if (!payment) return changed ? 'recorded' : 'duplicate';
    // The intent of an invoice says nothing of whose it is: the plan does, and ours more than its copy.
    const attributed = {
      ...payment,
      metadata: { ...snapshot.metadata, ...(plan && originalMetadata(plan)) },
    };
    const paid = await applyPayment(tx, webhooks.enqueue, {
      organizationId,
      payment: attributed,
      reading,
    });
    return paid || changed ? 'recorded' : 'duplicate';
  });
  if (payment) await sendReference(deps, { organizationId, account, payment });
  return outcome;
}

async function loadPayment({ db, processor }: SyncDeps, ref: SubscriptionRef) {
  const { organizationId, paidInvoiceId, account } = ref;
  const intentId =
    paidInvoiceId && (await processor.retrieveInvoicePayment(paidInvoiceId, account));
  if (!intentId) return undefined;
  const depth = (await isRecorded(db, organizationId, intentId)) ? 'everything' : 'fresh';
  return await processor.retrieveSucceededPayment(intentId, account, depth);
}
