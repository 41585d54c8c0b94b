import type { Transaction } from 'kysely';
import type { WorkDeps } from '../env.ts';
import type { Database } from '../db/schema.ts';
import { keepEvent } from '../processor-events/keep-event.ts';
import type { PaidGift } from '../processor/gifts.ts';
import { recordDonation } from '../record-donation.ts';
import { donationNotice, type Enqueue } from '../webhooks/notice.ts';
import { settleDonation } from './settle-donation.ts';

/** What the processor told of a gift, and what made us ask. */
export interface GiftReading {
  organizationId: string;
  gift: PaidGift;
  /** Of `takeReading`, drawn before the processor was asked. */
  reading: number;
  /** The event that said where to look; none when we looked by ourselves. */
  event?: { id: string; type: string };
}

/**
 * Sets a gift to what the processor tells of it: the donation, its refunds, disputes and fee, and
 * every notice of what that changed, in one transaction.
 *
 * @returns whether anything changed; undefined when the event had been dealt with
 */
export const recordGift = (
  { db, webhooks }: Pick<WorkDeps, 'db' | 'webhooks'>,
  { event, ...reading }: GiftReading,
): Promise<boolean | undefined> =>
  db.transaction().execute(async (tx) => {
    if (event && !(await keepEvent(tx, reading.organizationId, event))) return undefined;
    return await applyGift(tx, webhooks.enqueue, reading);
  });

/** The same inside a transaction that also changes something else. */
export async function applyGift(
  tx: Transaction<Database>,
  enqueue: Enqueue,
  { organizationId, gift, reading }: Omit<GiftReading, 'event'>,
): Promise<boolean> {
  const created = await recordUnlessKnown(tx, organizationId, gift);
  if (created) await enqueue(tx, donationNotice('donation.created', organizationId, created));
  const settled = await settleDonation(tx, enqueue, { organizationId, gift, reading });
  return created !== undefined || settled;
}

/** Donors are touched only for a gift that is new. */
async function recordUnlessKnown(
  tx: Transaction<Database>,
  organizationId: string,
  gift: PaidGift,
): Promise<string | undefined> {
  const known = await tx
    .selectFrom('donation')
    .select('id')
    .where('processor_payment_intent_id', '=', gift.paymentIntentId)
    .executeTakeFirst();
  return known ? undefined : await recordDonation(tx, organizationId, gift);
}
