import type { DatabaseSync } from 'node:sqlite';
import { sql } from './database.ts';

/**
 * The time of the simulated Stripe: real time plus an offset that people and tests can increase.
 *
 * It never goes back, so objects remain in the order of their creation. The offset survives a
 * restart.
 */
export class Clock {
  readonly #db: DatabaseSync;
  #offsetMs: number;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#offsetMs = Number(sql(db, 'select ahead_ms from clock').get()?.['ahead_ms']);
  }

  /** In whole seconds since 1970, as at Stripe. */
  now = (): number => Math.floor((Date.now() + this.#offsetMs) / 1000);

  /** Milliseconds of real time until `at` (in seconds). */
  millisecondsUntil = (at: number): number => at * 1000 - Date.now() - this.#offsetMs;

  /** Advances the time to `at` (in seconds), unless it has passed. */
  advanceTo(at: number) {
    const offsetMs = Math.max(this.#offsetMs, at * 1000 - Date.now());
    sql(this.#db, 'update clock set ahead_ms = ?').run(Math.ceil(offsetMs));
    this.#offsetMs = Math.ceil(offsetMs);
  }
}
