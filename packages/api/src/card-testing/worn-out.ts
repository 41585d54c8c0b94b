import type { Deps } from '../env.ts';

/** Cards that may be declined on one intent. A donor has two or three; a tester has thousands. */
const MOST_FAILURES = 8;

/**
 * Closes an intent on which too many cards were declined, so that one gift that was let through does
 * not serve for a list of stolen cards. The donor's page says that it begins again.
 *
 * Follows from what is kept, not from the event that is being told: should the processor fail now, the
 * event comes again and this is done then.
 */
export async function closeWornOut(
  { db, processor }: Pick<Deps, 'db' | 'processor'>,
  { intentId, account }: { intentId: string; account: string },
): Promise<boolean> {
  const worn = await db
    .selectFrom('payment_intent as intent')
    .leftJoin('recurring_plan as plan', 'plan.id', 'intent.plan_id')
    .select('plan.processor_subscription_id as subscriptionId')
    .where('intent.id', '=', intentId)
    .where('intent.failed_attempts', '>=', MOST_FAILURES)
    .where('intent.status', '<>', 'succeeded')
    .where('intent.closed_at', 'is', null)
    .executeTakeFirst();
  if (!worn) return false;
  const { subscriptionId } = worn;
  if (subscriptionId) await processor.giveUpPlan(subscriptionId, account);
  else await processor.cancelPaymentIntent(intentId, account);
  await db
    .updateTable('payment_intent')
    .set({ closed_at: new Date() })
    .where('id', '=', intentId)
    .execute();
  return true;
}
