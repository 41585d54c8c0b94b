import { ConnectError } from '@connect-embed/contract';
import { sql, type RawBuilder } from 'kysely';
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
  id: string;
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
   * Returns SQL that takes the turn of a request. Its value is null if the request may be sent to Stripe
   * now, else the text for `throwIfWaiting`.
   */
  async takeTurn(request: QueuedRequest): Promise<RawBuilder<string | null>> {
    return this.#turnSql(request, false);
  }

  /**
   * Puts a request that Stripe has rejected with 429 first in line for the next second.
   *
   * @returns the error for its donor
   */
  async returnTurn(request: QueuedRequest, cause: unknown): Promise<ConnectError> {
    const turn = await this.#turnSql(request, true);
    const { rows } = await sql<{ wait: string | null }>`select ${turn} as wait`.execute(this.#db);
    return busyError(rows[0]?.wait ?? FIRST_IN_LINE, cause);
  }

  async #turnSql({ organization, id, canWait }: QueuedRequest, isRejected: boolean) {
    const account = organization.processorAccountId;
    const queue = (await this.#storedKeys.find(account)) ? account : PLATFORM_QUEUE;
    // `take_processor_turn` is a function in db/schema.sql, which locks and counts in one round trip.
    return sql<string | null>`take_processor_turn(
      request => ${id}, of_queue => ${queue}, turns_per_second => ${this.#turnsPerSecond},
      can_wait => ${canWait}, is_rejected => ${isRejected})`;
  }
}

/** The value of `take_processor_turn` for a request that has to wait: position and seconds. */
const WAIT = /^wait (\d+) (\d+)$/;

/** The value for a request whose place has been deleted meanwhile. */
const FIRST_IN_LINE = 'wait 1 1';

/** @throws {ConnectError} `processor_busy` if the text is that of a request that has to wait */
export function throwIfWaiting(text: string | null): void {
  if (text !== null && WAIT.test(text)) throw busyError(text);
}

function busyError(wait: string, cause?: unknown): ConnectError {
  const [, queuePosition, retryAfterSeconds] = WAIT.exec(wait)!.map(Number);
  const message = `The card processor is at its limit. Request number ${queuePosition} in line can be sent in ${retryAfterSeconds} s.`;
  const options = { code: 'processor_busy', queuePosition, retryAfterSeconds, cause } as const;
  return new ConnectError('rate_limited', message, options);
}

/** Deletes the places of queues that are no longer used. */
export const removeOldTurns = (db: Db) =>
  sql`delete from processor_turn
    where turn_second < extract(epoch from clock_timestamp() - interval '1 hour')`.execute(db);
