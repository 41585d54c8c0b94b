import { sql } from 'kysely';
import { isCurrentAttempt } from '../db/leases.ts';
import { acrossOrganizations } from '../db/organization-scope.ts';
import type { Database, Db, Tx } from '../db/schema.ts';
import type { Claim } from './claim.ts';
import { delayBeforeNextAttempt } from './retry-schedule.ts';
import type { Outcome } from './send.ts';

export type DisabledReason = NonNullable<Database['webhook_endpoint']['disabled_reason']>;

/** An endpoint is disabled after failing this long without a success. */
const FAILING_DAYS = 5;
/** A failure after a longer gap starts a new failing period. Longer than any delay between two attempts. */
const FAILURE_GAP_HOURS = 48;
/** An endpoint that takes longer to respond moves to the slow lane. */
export const SLOW_MS = 5_000;

const REASON_MESSAGES: Record<DisabledReason, string> = {
  gone: 'The endpoint responded 410 and was disabled.',
  failing: `The endpoint failed for ${FAILING_DAYS} days and was disabled.`,
  revoked: 'The credential of this endpoint was revoked, or can no longer receive webhook events.',
  paused: 'The endpoint was turned off.',
};

/**
 * Saves the outcome of an attempt for its delivery and its endpoint in one transaction, so that no
 * other worker can claim a delivery of an endpoint that is about to be disabled.
 *
 * The endpoint is locked first, as in `disableEndpoint`, so that two workers cannot deadlock.
 *
 * @returns the reason if the endpoint was disabled
 */
export const saveOutcome = (
  db: Db,
  claim: Claim,
  outcome: Outcome,
): Promise<DisabledReason | undefined> =>
  db.transaction().execute(async (tx) => {
    if (outcome.error === null) {
      await markHealthy(tx, claim.endpoint_id, outcome.durationMs > SLOW_MS);
      await saveDeliveryOutcome(tx, claim, outcome);
      return undefined;
    }
    const failingTooLong = await markFailing(tx, claim.endpoint_id);
    await saveDeliveryOutcome(tx, claim, outcome);
    const reason = outcome.status === 410 ? 'gone' : failingTooLong ? 'failing' : undefined;
    if (reason) await disableEndpointInTransaction(tx, claim, reason);
    return reason;
  });

/** Saves the outcome of an attempt. Changes nothing if another worker has claimed the delivery since. */
async function saveDeliveryOutcome(db: Db, claim: Claim, outcome: Outcome): Promise<void> {
  const { numUpdatedRows } = await acrossOrganizations(db)
    .updateTable('webhook_delivery')
    .set({
      last_response_status: outcome.status,
      last_error: outcome.error,
      leased_until: null,
      ...nextState(claim, outcome),
    })
    .where(isCurrentAttempt(claim))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await db
    .insertInto('webhook_attempt')
    .values({
      delivery_id: claim.id,
      number: claim.attempts,
      started_at: outcome.startedAt,
      duration_ms: outcome.durationMs,
      response_status: outcome.status,
      error: outcome.error,
    })
    .execute();
}

function nextState(
  { attempts, attempts_before_redelivery }: Claim,
  { error, retryAfterMs }: Outcome,
) {
  if (error === null) {
    const delivered_at = sql<Date>`clock_timestamp()`;
    return { status: 'delivered', delivered_at, next_attempt_at: null } as const;
  }
  const waitMs = delayBeforeNextAttempt(attempts - attempts_before_redelivery, retryAfterMs);
  if (waitMs === undefined) return { status: 'failed', next_attempt_at: null } as const;
  return { next_attempt_at: sql<Date>`clock_timestamp() + ${`${waitMs} ms`}::interval` };
}

/**
 * Releases an attempt that was aborted by `stop`: it is repeated at once and does not count for the
 * schedule.
 */
export const releaseLease = (db: Db, claim: Claim) =>
  acrossOrganizations(db)
    .updateTable('webhook_delivery')
    .set({ leased_until: null, attempts_before_redelivery: claim.attempts_before_redelivery + 1 })
    .where(isCurrentAttempt(claim))
    .execute();

/**
 * Fails a delivery without a further attempt, because its last attempt was interrupted by a crash of
 * the worker. The claim that found this out does not count as an attempt.
 */
export const failInterruptedDelivery = (db: Db, claim: Claim) =>
  acrossOrganizations(db)
    .updateTable('webhook_delivery')
    .set({
      status: 'failed',
      attempts: claim.attempts - 1,
      next_attempt_at: null,
      leased_until: null,
      last_error: 'The last attempt was interrupted.',
    })
    .where(isCurrentAttempt(claim))
    .execute();

export const markHealthy = (db: Db, endpointId: string, slow: boolean) =>
  acrossOrganizations(db)
    .updateTable('webhook_endpoint')
    .set({ slow, failing_since: null, last_failed_at: null })
    .where('id', '=', endpointId)
    .where((where) => where.or([where('failing_since', 'is not', null), where('slow', '<>', slow)]))
    .execute();

/**
 * Records a failure of the endpoint.
 *
 * @returns whether it has been failing without a success for FAILING_DAYS
 */
async function markFailing(db: Db, endpointId: string): Promise<boolean> {
  const row = await acrossOrganizations(db)
    .updateTable('webhook_endpoint')
    .set({
      slow: true,
      last_failed_at: sql`clock_timestamp()`,
      failing_since: sql`case
        when last_failed_at > clock_timestamp() - ${`${FAILURE_GAP_HOURS} h`}::interval
        then failing_since else clock_timestamp() end`,
    })
    .where('id', '=', endpointId)
    .returning(
      sql<boolean>`failing_since <= clock_timestamp() - ${`${FAILING_DAYS} days`}::interval`.as(
        'tooLong',
      ),
    )
    .executeTakeFirst();
  return row?.tooLong ?? false;
}

/**
 * Disables an endpoint, and fails its pending deliveries. A change by its owner enables it, unless it
 * was paused.
 *
 * Deliveries that another worker is sending are not changed.
 *
 * @param claim the attempt that led to it, if any
 */
export const disableEndpoint = (db: Db, claim: AttemptRef, reason: DisabledReason): Promise<void> =>
  db.transaction().execute((tx) => disableEndpointInTransaction(tx, claim, reason));

type AttemptRef = Pick<Claim, 'endpoint_id'> & { id?: string };

async function disableEndpointInTransaction(
  tx: Tx,
  { id = '', endpoint_id }: AttemptRef,
  reason: DisabledReason,
): Promise<void> {
  await acrossOrganizations(tx)
    .updateTable('webhook_endpoint')
    .set({ disabled_at: sql`clock_timestamp()`, disabled_reason: reason })
    .where('id', '=', endpoint_id)
    .where('disabled_at', 'is', null)
    .execute();
  await acrossOrganizations(tx)
    .updateTable('webhook_delivery')
    .set({
      status: 'failed',
      next_attempt_at: null,
      leased_until: null,
      last_error: REASON_MESSAGES[reason],
    })
    .where('endpoint_id', '=', endpoint_id)
    .where('status', '=', 'pending')
    .$if(reason === 'revoked', (pending) => pending.where('event_type', '<>', 'connection.revoked'))
    .where(sql<boolean>`(leased_until is null or leased_until <= now() or id = ${id})`)
    .execute();
}
