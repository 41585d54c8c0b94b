import { ConnectError } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import type { PayableOrganization } from '../http/credential-organization.ts';
import type { StoredKeys } from './own-keys/stored-keys.ts';

/**
 * Share of Stripe's limit that the queue uses. The rest is for calls that are repeated, and for donors who
 * arrive in the second after their turn.
 */
const USED_SHARE = 0.9;

/** Name of the queue of all organizations that are paid through the platform's keys. */
const PLATFORM_QUEUE = 'platform';

interface QueueOptions {
  db: Db;
  storedKeys: StoredKeys;
  /** Stripe's limit for an account's requests to one endpoint. */
  requestsPerSecond: number;
}

/** A request that creates a payment intent. */
interface QueuedRequest {
  organization: PayableOrganization;
  /** Idempotency key of the request at Stripe, by which a repeated request finds its place. */
  requestKey: string;
  /** False if a repeated request has another key, so that no place can be kept for it. */
  canWait: boolean;
}

/**
 * The queue before Stripe: while more donations arrive than Stripe accepts in a second, each gets the
 * second in which it may be sent, first come, first served: docs/decisions/0110-processor-queue.md
 */
export class ProcessorQueue {
  readonly #db: Db;
  readonly #storedKeys: StoredKeys;
  readonly #turnsPerSecond: number;

  constructor({ db, storedKeys, requestsPerSecond }: QueueOptions) {
    this.#db = db;
    this.#storedKeys = storedKeys;
    this.#turnsPerSecond = Math.max(1, Math.floor(requestsPerSecond * USED_SHARE));
  }

  /**
   * Reserves the turn of a request that is about to be sent to Stripe, or gives it a place in line.
   *
   * @throws {ConnectError} `rate_limited` with the code `processor_busy` if its turn is later
   */
  async reserveTurn(request: QueuedRequest): Promise<void> {
    const wait = await this.#requestTurn(request, false);
    if (wait) throw busyError(wait);
  }

  /**
   * Puts a request that Stripe has rejected with 429 first in line for the next second.
   *
   * @returns the error for its donor
   */
  async returnTurn(request: QueuedRequest, cause: unknown): Promise<ConnectError> {
    return busyError((await this.#requestTurn(request, true)) ?? FIRST_IN_LINE, cause);
  }

  /**
   * Calls `take_processor_turn` of db/schema.sql, which takes the lock of the queue, then counts, and releases the
   * lock, in one round trip. In a transaction of several statements, all organizations that are paid through the
   * platform's keys would wait for seven round trips of each donation.
   *
   * @returns undefined if the request may be sent now
   */
  async #requestTurn({ organization, requestKey, canWait }: QueuedRequest, isRejected: boolean) {
    const account = organization.processorAccountId;
    const queue = (await this.#storedKeys.find(account)) ? account : PLATFORM_QUEUE;
    const { rows } = await sql<{ queue_position: number | null; wait_seconds: number | null }>`
      select queue_position, wait_seconds from take_processor_turn(
        request => ${requestKey}, of_queue => ${queue}, turns_per_second => ${this.#turnsPerSecond},
        can_wait => ${canWait}, is_rejected => ${isRejected})`.execute(this.#db);
    const { queue_position, wait_seconds } = rows[0]!;
    if (queue_position === null || wait_seconds === null) return undefined;
    return { queuePosition: queue_position, retryAfterSeconds: wait_seconds };
  }
}

/** The place of a request in line, and when its turn is. */
interface Wait {
  queuePosition: number;
  retryAfterSeconds: number;
}

/** The place of a request whose row has been deleted meanwhile. */
const FIRST_IN_LINE: Wait = { queuePosition: 1, retryAfterSeconds: 1 };

function busyError({ queuePosition, retryAfterSeconds }: Wait, cause?: unknown): ConnectError {
  const message = `The card processor is at its limit. Request number ${queuePosition} in line can be sent in ${retryAfterSeconds} s.`;
  const options = { code: 'processor_busy', queuePosition, retryAfterSeconds, cause } as const;
  return new ConnectError('rate_limited', message, options);
}

/** Deletes the places of queues that are no longer used. */
export const removeOldTurns = (db: Db) =>
  sql`delete from processor_turn
    where turn_second < extract(epoch from clock_timestamp() - interval '1 hour')`.execute(db);
