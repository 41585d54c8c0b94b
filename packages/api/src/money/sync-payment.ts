import type { WorkerDeps } from '../env.ts';
import type { Db } from '../db/database.ts';
import { isEventHandled } from '../processor-events/handled-events.ts';
import type { Outcome } from '../processor-events/event-handler.ts';
import { findOwnIntents, matchesIntent } from './intents.ts';
import { nextRowVersion } from './row-version.ts';
import { recordPayment } from './record-payment.ts';
import { sendReference } from './send-reference.ts';

/** Where a gift is to be looked up, and why. */
export interface PaymentRef {
  organizationId: string;
  /** The organization's account at the processor. */
  account: string;
  paymentIntentId: string;
  event?: { id: string; type: string };
}

/**
 * Asks the processor for a gift and sets it to the truth.
 *
 * An account also takes payments that are none of ours: a gift is one that we have recorded or begun, or
 * one that names the organization of its account.
 */
export async function syncPayment(deps: WorkerDeps, ref: PaymentRef): Promise<Outcome> {
  const { organizationId, account, paymentIntentId, event } = ref;
  if (event && (await isEventHandled(deps.db, event.id))) return 'duplicate';
  const reading = await nextRowVersion(deps.db);
  const payment = await deps.processor.findSucceededPayment(paymentIntentId, account, 'everything');
  if (!payment) return 'ignored';
  const isOwn =
    payment.metadata['organization_id'] === organizationId ||
    (await isRecorded(deps.db, organizationId, paymentIntentId)) ||
    (await findOwnIntents(deps.db, organizationId, [paymentIntentId])).has(paymentIntentId);
  if (!isOwn || !(await matchesIntent(deps, organizationId, payment))) return 'ignored';
  const changed = await recordPayment(deps, {
    organizationId,
    payment,
    reading,
    ...(event && { event }),
  });
  const isReferenceSent = await sendReference(deps, { organizationId, account, payment });
  return changed || isReferenceSent ? 'recorded' : 'duplicate';
}

/** Whether a gift is a donation already. */
export const isRecorded = async (db: Db, organizationId: string, paymentIntentId: string) =>
  (await db
    .selectFrom('donation')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('processor_payment_intent_id', '=', paymentIntentId)
    .executeTakeFirst()) !== undefined;
