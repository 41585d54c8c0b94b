import { sql } from 'kysely';
import { acrossOrganizations } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import type { RequestDeps, WorkerDeps } from '../deps.ts';
import { isDisconnected } from '../stripe/errors.ts';
import { attackUntil } from './attack-mode.ts';
import { endCanceledReservation, MAX_DECLINES } from './card-budget.ts';

/**
 * Number of declines that are allowed on a payment intent without a reservation. Such a payment intent
 * was created with an API key and no donor context.
 */
const MAX_DECLINES_UNRESERVED = 8;

/**
 * Maximum number of payment intents that are canceled when an alarm starts. Further payment intents are
 * canceled at their next decline.
 */
const MAX_CANCELED_AT_ALARM = 200;
/** Maximum number of concurrent calls to Stripe. */
const CONCURRENCY = 5;

/**
 * Age at which a payment intent without an attempt counts as abandoned. A donor's page confirms a
 * payment intent immediately after its creation.
 */
const UNATTEMPTED_MINUTES = 3;
/**
 * Age at which a payment intent with a decline or a pending authentication by the bank counts as
 * abandoned, and a request of which Stripe has reported no payment intent.
 */
const IDLE_MINUTES = 20;
const IDLE_BATCH_SIZE = 300;

type CancelDeps = Pick<RequestDeps, 'db' | 'processor'>;

/**
 * An unpaid payment intent. `subscriptionId` is set if it is the first payment of a subscription.
 */
interface OpenIntent {
  intentId: string;
  account: string;
  subscriptionId: string | null;
}

/**
 * Cancels a payment intent with too many declined cards, so that a list of stolen cards cannot be
 * tried on it. The donor's page then creates a new one.
 *
 * The decision depends on the saved number of declines, not on the event being processed. If the call
 * to Stripe fails, Stripe delivers the event again and the cancellation is retried.
 *
 * @returns true if the payment intent was canceled
 */
export async function cancelAfterDeclines(
  deps: CancelDeps,
  { intentId, account }: { intentId: string; account: string },
): Promise<boolean> {
  const { db } = deps;
  const intent = await selectOpenIntents(db)
    .leftJoin('card_reservation as reserved', 'reserved.payment_intent_id', 'intent.id')
    .select(['intent.organization_id', 'intent.failed_attempts'])
    .select(
      sql<number>`coalesce(reserved.max_declines, ${MAX_DECLINES_UNRESERVED})`.as('max_declines'),
    )
    .where('intent.id', '=', intentId)
    .where('intent.failed_attempts', '>=', MAX_DECLINES.duringAttack)
    .executeTakeFirst();
  if (!intent) return false;
  const hasTooManyDeclines =
    intent.failed_attempts >= intent.max_declines ||
    (await attackUntil(db, intent.organization_id)) !== undefined;
  if (!hasTooManyDeclines) return false;
  await cancel(deps, { intentId, account, subscriptionId: intent.subscriptionId });
  return true;
}

/**
 * Cancels an organization's open payment intents with a decline when an alarm starts. These payment
 * intents were admitted before the attack was detected and must not be used for the attack.
 *
 * @returns the number of payment intents that could not be canceled; the next decline on each of them
 *   retries the cancellation
 */
export async function cancelDeclinedIntents(
  deps: CancelDeps,
  { organizationId, account }: { organizationId: string; account: string },
): Promise<number> {
  const declined = await selectOpenIntents(deps.db)
    .where('intent.organization_id', '=', organizationId)
    .where('intent.created_at', '>', sql<Date>`now() - interval '1 day'`)
    .where('intent.failed_attempts', '>', 0)
    .orderBy('intent.created_at', 'desc')
    .limit(MAX_CANCELED_AT_ALARM)
    .execute();
  return await forEachConcurrently(declined, (intent) => cancel(deps, { ...intent, account }));
}

/**
 * Cancels payment intents that were never paid and releases their reservations. Runs as a regular
 * job.
 *
 * A reservation is released only when Stripe accepts no more cards for the payment intent. The delay
 * grows with each failure, and new reservations are processed first, so that an organization whose
 * account rejects every call does not delay other organizations.
 *
 * @returns the number of failed cancellations, which are retried later
 */
export async function cancelIdleIntents(
  deps: Pick<WorkerDeps, 'db' | 'processor'>,
): Promise<number> {
  const idle = await claimIdle(deps.db);
  return await forEachConcurrently(idle, async (reservation) => {
    const { id, account, isAbandoned } = reservation;
    if (account && !isAbandoned && !(await closeAtProcessor(deps, reservation, account))) return;
    await endCanceledReservation(deps.db, id, { releaseCards: true });
  });
}

interface IdleReservation {
  id: string;
  intentId: string | null;
  account: string | null;
  subscriptionId: string | null;
  /** True if the reservation is old enough to be canceled even after a decline. */
  isIdle: boolean;
  isAbandoned: boolean;
}

/**
 * Selects reservations that are due and sets the time of their next attempt. The delay is half of the
 * reservation's age, so that it grows.
 *
 * The age of a payment intent counts from its own creation: a donor can wait in line for minutes between
 * the reservation and the payment intent (docs/decisions/0110-processor-queue.md).
 */
async function claimIdle(db: Db): Promise<IdleReservation[]> {
  const { rows } = await sql<IdleReservation>`
    with due as (
      select reserved.id
      from card_reservation as reserved
      left join payment_intent as intent on intent.id = reserved.payment_intent_id
      where reserved.ended_at is null
        and reserved.created_at < now() - ${sql.lit(UNATTEMPTED_MINUTES)} * interval '1 minute'
        and coalesce(intent.created_at, '-infinity')
          < now() - ${sql.lit(UNATTEMPTED_MINUTES)} * interval '1 minute'
        and coalesce(reserved.retry_at, '-infinity') < now()
      order by reserved.retry_at nulls first, reserved.created_at
      limit ${IDLE_BATCH_SIZE}
      for update of reserved skip locked),
    claimed as (
      update card_reservation as reserved
      set retry_at = now() + (now() - created_at) / 2
      from due where due.id = reserved.id
      returning reserved.*)
    select claimed.id,
      claimed.payment_intent_id as "intentId",
      organization.processor_account_id as account,
      plan.processor_subscription_id as "subscriptionId",
      greatest(claimed.created_at, intent.created_at)
        < now() - ${sql.lit(IDLE_MINUTES)} * interval '1 minute' as "isIdle",
      claimed.created_at < now() - interval '1 day' as "isAbandoned"
    from claimed
    join organization on organization.id = claimed.organization_id
    left join payment_intent as intent on intent.id = claimed.payment_intent_id
    left join recurring_plan as plan on plan.id = intent.plan_id`.execute(db);
  return rows;
}

/**
 * Cancels an abandoned payment intent at Stripe.
 *
 * @returns true if Stripe accepts no more cards for the payment intent; false while the donor may still
 *   use it
 */
async function closeAtProcessor(
  { processor }: CancelDeps,
  { intentId, subscriptionId, isIdle }: IdleReservation,
  account: string,
): Promise<boolean> {
  // Without a response from Stripe it is unknown whether a payment intent exists.
  if (!intentId) return isIdle;
  try {
    const state = await processor.retrieveIdleState(intentId, account);
    if (state === 'card' && !isIdle) return false;
    if (state !== 'not_card') {
      await cancelAtProcessor(processor, { intentId, account, subscriptionId });
    }
    return true;
  } catch (error) {
    // A disconnected account rejects every call, and no donor can pay there.
    if (isDisconnected(error)) return true;
    throw error;
  }
}

const selectOpenIntents = (db: Db) =>
  acrossOrganizations(db)
    .selectFrom('payment_intent as intent')
    .leftJoin('recurring_plan as plan', 'plan.id', 'intent.plan_id')
    .select(['intent.id as intentId', 'plan.processor_subscription_id as subscriptionId'])
    .where('intent.status', 'not in', ['succeeded', 'processing'])
    .where('intent.closed_at', 'is', null);

async function cancel({ db, processor }: CancelDeps, intent: OpenIntent): Promise<void> {
  await cancelAtProcessor(processor, intent);
  await acrossOrganizations(db)
    .updateTable('payment_intent')
    .set({ closed_at: new Date() })
    .where('id', '=', intent.intentId)
    .execute();
  await endCanceledReservation(db, intent.intentId, { releaseCards: false });
}

/** Cancels a payment intent, or the subscription whose first payment it is, unless it is paid. */
export async function cancelAtProcessor(
  processor: CancelDeps['processor'],
  { intentId, account, subscriptionId }: OpenIntent,
): Promise<void> {
  if (subscriptionId) await processor.cancelIncompleteSubscription(subscriptionId, account);
  else await processor.cancelPaymentIntent(intentId, account);
}

/** Runs an action for each item, a few concurrently, and returns the number of failures. */
async function forEachConcurrently<Item>(
  items: Item[],
  action: (item: Item) => Promise<void>,
): Promise<number> {
  const queue = [...items];
  let failures = 0;
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await action(item).catch(() => (failures += 1));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return failures;
}
