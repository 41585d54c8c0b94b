import type { WorkDeps } from '../env.ts';
import type { Db } from '../db/database.ts';
import { isKnown } from '../processor-events/keep-event.ts';
import type { Outcome } from '../processor-events/handler.ts';
import { begunHere, isAsAgreed } from './agreed.ts';
import { takeReading } from './reading.ts';
import { recordGift } from './record-gift.ts';
import { sendReference } from './send-reference.ts';

/** Where a gift is to be looked up, and why. */
export interface GiftPlace {
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
export async function syncGift(deps: WorkDeps, place: GiftPlace): Promise<Outcome> {
  const { organizationId, account, paymentIntentId, event } = place;
  if (event && (await isKnown(deps.db, event.id))) return 'duplicate';
  const reading = await takeReading(deps.db);
  const gift = await deps.processor.findPaidGift(paymentIntentId, account, 'everything');
  if (!gift) return 'ignored';
  const ours =
    gift.metadata['organization_id'] === organizationId ||
    (await isRecorded(deps.db, organizationId, paymentIntentId)) ||
    (await begunHere(deps.db, organizationId, [paymentIntentId])).has(paymentIntentId);
  if (!ours || !(await isAsAgreed(deps, organizationId, gift))) return 'ignored';
  const changed = await recordGift(deps, {
    organizationId,
    gift,
    reading,
    ...(event && { event }),
  });
  const sent = await sendReference(deps, { organizationId, account, gift });
  return changed || sent ? 'recorded' : 'duplicate';
}

/** Whether a gift is a donation already. */
export const isRecorded = async (db: Db, organizationId: string, paymentIntentId: string) =>
  (await db
    .selectFrom('donation')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('processor_payment_intent_id', '=', paymentIntentId)
    .executeTakeFirst()) !== undefined;
