import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import type { Claim } from './claim.ts';
import { markHealthy, SLOW_MS } from './save-outcome.ts';
import type { Outcome } from './send.ts';

/** An attempt of a healthy endpoint that delivered its event at once. */
interface DeliveredAttempt {
  claim: Claim;
  outcome: Outcome;
}

/**
 * Whether an outcome can be saved together with others: the event was delivered, and nothing about the
 * endpoint changes. Others need a transaction that locks the endpoint first: `saveOutcome`.
 */
export const isPlainDelivery = ({ claim, outcome }: DeliveredAttempt): boolean =>
  outcome.error === null && !claim.slow && outcome.durationMs <= SLOW_MS;

/**
 * Creates a function that saves delivered attempts. Attempts that end while one statement runs are saved
 * together by the next, so that a busy worker needs few statements and an idle one has no delay.
 */
export function createDeliveredQueue(db: Db): (attempt: DeliveredAttempt) => Promise<void> {
  let waiting: DeliveredAttempt[] = [];
  let lastSaved = Promise.resolve();
  let nextSaved: Promise<void> | undefined;
  const saveWaiting = async () => {
    await lastSaved.catch(() => {}); // Its attempts handle the error.
    const batch = waiting;
    [waiting, nextSaved] = [[], undefined];
    lastSaved = saveDelivered(db, batch);
    await lastSaved;
  };
  return (attempt) => {
    waiting.push(attempt);
    nextSaved ??= saveWaiting();
    return nextSaved;
  };
}

/** Saves attempts in one statement. Changes nothing if another worker has claimed a delivery since. */
async function saveDelivered(db: Db, batch: readonly DeliveredAttempt[]): Promise<void> {
  const column = <Value>(read: (attempt: DeliveredAttempt) => Value) => sql.val(batch.map(read));
  const { rows } = await sql<{ id: string }>`
    with ended as (
      select * from unnest(
        ${column(({ claim }) => claim.id)}::text[],
        ${column(({ claim }) => claim.attempts)}::int[],
        ${column(({ outcome }) => outcome.startedAt)}::timestamptz[],
        ${column(({ outcome }) => outcome.durationMs)}::int[],
        ${column(({ outcome }) => outcome.status)}::int[]
      ) as ended (delivery_id, number, started_at, duration_ms, response_status)
    ),
    delivered as (
      update webhook_delivery d
      set status = 'delivered', delivered_at = clock_timestamp(), next_attempt_at = null, leased_until = null,
        last_response_status = ended.response_status, last_error = null
      from ended
      where d.id = ended.delivery_id and d.attempts = ended.number and d.status = 'pending'
      returning d.id
    ),
    saved as (
      insert into webhook_attempt (delivery_id, number, started_at, duration_ms, response_status)
      select ended.* from ended join delivered on delivered.id = ended.delivery_id
    )
    select id from webhook_endpoint
    where id = any(${column(({ claim }) => claim.endpoint_id)}) and (slow or failing_since is not null)`.execute(
    db,
  );
  // Another attempt has failed meanwhile.
  for (const { id } of rows) await markHealthy(db, id, false);
}
