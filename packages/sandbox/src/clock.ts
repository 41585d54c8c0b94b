import type { DatabaseSync } from 'node:sqlite';
import { sql } from './database.ts';

/**
 * The sandbox's time: the world's, and as far ahead of it as somebody has turned it.
 *
 * It never goes back, so what is listed newest first stays so, and it survives a restart.
 */
export class Clock {
  readonly #db: DatabaseSync;
  #aheadMs: number;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#aheadMs = Number(sql(db, 'select ahead_ms from clock').get()?.['ahead_ms']);
  }

  /** Stripe counts time in whole seconds. */
  now = (): number => Math.floor((Date.now() + this.#aheadMs) / 1000);

  /** How many milliseconds of the world there are until then. */
  millisecondsUntil = (at: number): number => at * 1000 - Date.now() - this.#aheadMs;

  /** Turns it to a moment, unless that has passed. */
  advanceTo(at: number) {
    const aheadMs = Math.max(this.#aheadMs, at * 1000 - Date.now());
    sql(this.#db, 'update clock set ahead_ms = ?').run(Math.ceil(aheadMs));
    this.#aheadMs = Math.ceil(aheadMs);
  }
}
