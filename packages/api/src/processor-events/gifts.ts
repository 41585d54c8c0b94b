import { watchForAttack } from '../card-testing/alarm.ts';
import { closeWornOut } from '../card-testing/worn-out.ts';
import type { Db } from '../db/database.ts';
import { recordFailure } from '../record-failure.ts';
import { isAsAgreed } from '../money/agreed.ts';
import { takeReading } from '../money/reading.ts';
import { recordGift } from '../money/record-gift.ts';
import { isRecorded } from '../money/sync-gift.ts';
import type { EventOf, Handler, Handlers, Outcome } from './handler.ts';
import { isKnown, keepEvent } from './keep-event.ts';
import { organizationOf, ownerOf } from './owner.ts';

const succeeded: Handler<'payment_intent.succeeded'> = async (deps, event) => {
  const { db, processor } = deps;
  const begun = await beganHere(db, event);
  if (begun?.ofPlan) return await ofPlan(db, begun.organizationId, event);
  const organizationId =
    (await ownerOf(db, event.account, event.data.object)) ?? begun?.organizationId;
  if (!organizationId || !event.account) return 'ignored';
  if (await isKnown(db, event.id)) return 'duplicate';
  // Asked before the transaction: no connection waits for the processor.
  const reading = await takeReading(db);
  const { id } = event.data.object;
  const depth = (await isRecorded(db, organizationId, id)) ? 'everything' : 'fresh';
  const gift = await processor.retrievePaidGift(id, event.account, depth);
  if (!(await isAsAgreed(deps, organizationId, gift))) return 'ignored';
  const changed = await recordGift(deps, { organizationId, gift, reading, event });
  return changed ? 'recorded' : 'duplicate';
};

/** Its invoice tells of the gift; here it only counts as a card that was good. */
const ofPlan = async (
  db: Db,
  organizationId: string,
  event: EventOf<'payment_intent.succeeded'>,
): Promise<Outcome> => ((await keepEvent(db, organizationId, event)) ? 'recorded' : 'duplicate');

/**
 * The organization that an intent was begun for here, if it is the one of the event's account. What the
 * intent says of itself may be gone: others may edit it, and of the first payment of a plan it is nothing.
 */
async function beganHere(
  db: Db,
  { account, data }: { account?: string; data: { object: { id: string } } },
): Promise<{ organizationId: string; ofPlan: boolean } | undefined> {
  const organizationId = await organizationOf(db, account);
  if (!organizationId) return undefined;
  const kept = await db
    .selectFrom('payment_intent')
    .select('plan_id')
    .where('id', '=', data.object.id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return kept && { organizationId, ofPlan: kept.plan_id !== null };
}

const failed: Handler<'payment_intent.payment_failed'> = async (deps, event) => {
  const { db, log, baseUrl } = deps;
  const { account } = event;
  const intent = event.data.object;
  const organizationId =
    (await ownerOf(db, account, intent)) ?? (await beganHere(db, event))?.organizationId;
  if (!organizationId || !account) return 'ignored';
  const outcome = await db.transaction().execute(async (tx): Promise<Outcome> => {
    if (!(await keepEvent(tx, organizationId, event))) return 'duplicate';
    await recordFailure(tx, organizationId, event);
    const alarm = await watchForAttack(tx, organizationId, `${baseUrl}/dashboard`);
    if (alarm) log.warn({ alarm }, 'cards are being tested');
    return 'recorded';
  });
  await closeWornOut(deps, { intentId: intent.id, account });
  return outcome;
};

/** A gift was paid, or a card was declined. */
export const gifts: Handlers = {
  'payment_intent.succeeded': succeeded,
  'payment_intent.payment_failed': failed,
};
