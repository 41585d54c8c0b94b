import type { WorkerDeps } from './deps.ts';
import type { Db } from '../db/schema.ts';
import { isEventHandled } from './stripe-events/handled-events.ts';
import type { Outcome } from './stripe-events/event-handler.ts';
import { findOwnIntents, matchesIntent } from './intents.ts';
import { nextRowVersion } from './row-version.ts';
import { recordPayment } from './record-payment.ts';
import { sendReference } from './send-reference.ts';

/** Identifies the payment to fetch from Stripe and the event that triggered it. */
export interface PaymentRef {
  organizationId: string;
  /** Id of the organization's Stripe account. */
  account: string;
  paymentIntentId: string;
  event?: { id: string; type: string };
}

/**
 * Fetches a payment from Stripe and creates or updates its donation.
 *
 * Stripe accounts also take payments from other systems. A payment is a donation of this service if
 * it is recorded, was created here, or names the organization of its account in its metadata.
 *
 * @returns `ignored` if it is not paid or not a donation of this service, `duplicate` if nothing
 *   changed
 */
export async function syncPayment(deps: WorkerDeps, ref: PaymentRef): Promise<Outcome> {
  const { organizationId, account, paymentIntentId, event } = ref;
  if (event && (await isEventHandled(deps.db, event.id))) return 'duplicate';
  const rowVersion = await nextRowVersion(deps.db);
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
    rowVersion,
    ...(event && { event }),
  });
  const isReferenceSent = await sendReference(deps, { organizationId, account, payment });
  return changed || isReferenceSent ? 'recorded' : 'duplicate';
}

/** Whether a payment intent is recorded as a donation. */
export const isRecorded = async (db: Db, organizationId: string, paymentIntentId: string) =>
  (await db
    .selectFrom('donation')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('processor_payment_intent_id', '=', paymentIntentId)
    .executeTakeFirst()) !== undefined;
