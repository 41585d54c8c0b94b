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
  const organizationId = await ownerOf(db, event.account, event.data.object);
  if (!organizationId || !event.account) return await ofPlan(db, event);
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
async function ofPlan(db: Db, event: EventOf<'payment_intent.succeeded'>): Promise<Outcome> {
  const organizationId = await beganHere(db, event);
  if (!organizationId) return 'ignored';
  return (await keepEvent(db, organizationId, event)) ? 'recorded' : 'duplicate';
}

/** The organization of the first payment of a plan: its intent says nothing of whose it is. */
async function beganHere(
  db: Db,
  { account, data }: { account?: string; data: { object: { id: string } } },
): Promise<string | undefined> {
  const organizationId = await organizationOf(db, account);
  if (!organizationId) return undefined;
  const kept = await db
    .selectFrom('payment_intent')
    .select('organization_id')
    .where('id', '=', data.object.id)
    .where('organization_id', '=', organizationId)
    .where('plan_id', 'is not', null)
    .executeTakeFirst();
  return kept?.organization_id;
}

const failed: Handler<'payment_intent.payment_failed'> = async (deps, event) => {
  const { db, log, baseUrl } = deps;
  const { account } = event;
  const intent = event.data.object;
  const organizationId = (await ownerOf(db, account, intent)) ?? (await beganHere(db, event));
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
