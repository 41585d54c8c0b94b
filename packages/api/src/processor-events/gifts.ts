import { watchForAttack, type Alarm } from '../card-testing/alarm.ts';
import { endPaidReservation } from '../card-testing/card-budget.ts';
import { closeDeclined, closeWornOut } from '../card-testing/worn-out.ts';
import type { Db } from '../db/database.ts';
import { FailedIntent, recordFailure } from '../record-failure.ts';
import { isAsAgreed } from '../money/agreed.ts';
import { takeReading } from '../money/reading.ts';
import { recordGift } from '../money/record-gift.ts';
import { sendReference } from '../money/send-reference.ts';
import { isRecorded } from '../money/sync-gift.ts';
import { z } from 'zod';
import { handlersOf, type Handler, type Handlers, type Outcome } from './handler.ts';
import { isKnown, keepEvent } from './keep-event.ts';
import { organizationOf, ownerOf } from './owner.ts';
import { Metadata, StripeId, type EventWith } from '../processor/stripe-event.ts';

/** What is read of a payment intent; what it says of money is asked for again. */
const PaidIntent = z.object({ id: StripeId, metadata: Metadata });

const succeeded: Handler<z.infer<typeof PaidIntent>> = async (deps, event) => {
  const { db, processor } = deps;
  const begun = await beganHere(db, event);
  if (begun) await endPaidReservation(db, event.data.object.id);
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
  await sendReference(deps, { organizationId, account: event.account, gift });
  return changed ? 'recorded' : 'duplicate';
};

/** Its invoice tells of the gift; here it only counts as a card that was good. */
const ofPlan = async (
  db: Db,
  organizationId: string,
  event: { id: string; type: string },
): Promise<Outcome> => ((await keepEvent(db, organizationId, event)) ? 'recorded' : 'duplicate');

/**
 * The organization that an intent was begun for here, if it is the one of the event's account. What the
 * intent says of itself may be gone: others may edit it, and of the first payment of a plan it is nothing.
 */
async function beganHere(
  db: Db,
  { account, data }: Pick<EventWith<{ id: string }>, 'account' | 'data'>,
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

const failed: Handler<FailedIntent> = async (deps, event) => {
  const { db, log, baseUrl } = deps;
  const { account } = event;
  const intent = event.data.object;
  const organizationId =
    (await ownerOf(db, account, intent)) ?? (await beganHere(db, event))?.organizationId;
  if (!organizationId || !account) return 'ignored';
  let alarm: Alarm | undefined;
  const outcome = await db.transaction().execute(async (tx): Promise<Outcome> => {
    if (!(await keepEvent(tx, organizationId, event))) return 'duplicate';
    await recordFailure(tx, organizationId, event);
    alarm = await watchForAttack(tx, organizationId, `${baseUrl}/dashboard`);
    return 'recorded';
  });
  if (alarm) {
    log.warn({ alarm }, 'cards are being tested');
    const failures = await closeDeclined(deps, { organizationId, account });
    if (failures > 0) log.warn({ failures }, 'declined payment intents could not be canceled');
  }
  await closeWornOut(deps, { intentId: intent.id, account });
  return outcome;
};

/** A gift was paid, or a card was declined. */
export const gifts: Handlers = new Map([
  ...handlersOf(['payment_intent.succeeded'], PaidIntent, succeeded),
  ...handlersOf(['payment_intent.payment_failed'], FailedIntent, failed),
]);
