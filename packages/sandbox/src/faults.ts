import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { sql } from './database.ts';

/** The faults that the simulated Stripe can be made to have, and their effects. */
export const FAULTS = {
  rate_limit: 'responds 429 without doing the work',
  server_error: 'responds 500 without doing the work; an idempotency key replays that response',
  server_error_after:
    'responds 500 after doing the work; only for requests with an idempotency key',
  slow: 'waits for `ms` before doing the work',
  timeout: 'does the work and never responds',
  lost_response: 'does the work and resets the connection',
  reset: 'resets the connection before doing the work',
  drop_event: 'never sends an event; GET /v1/events lists it',
  duplicate_event: 'sends an event twice',
  delay_event: 'sends an event `ms` late',
  reorder_event: 'sends an event up to `ms` late, out of order',
} as const;

export type FaultName = keyof typeof FAULTS;

export type Fault = {
  name: FaultName;
  /** Share of the matching operations that fail, 0 to 1. */
  rate: number;
  /** The same seed selects the same operations, counted from when the fault was switched on. */
  seed: string;
  /** Number of remaining failures; null for unlimited. */
  remaining: number | null;
  /** Delay in milliseconds, for `slow`, `delay_event` and `reorder_event`. */
  ms: number;
  /** Only requests whose path begins with this text fail. */
  path: string;
  /** Number of matching operations so far; `hits` of them failed. */
  rolls: number;
  hits: number;
};

const UPDATE_COUNTS = 'update fault set remaining = ?, rolls = ?, hits = ? where name = ?';

/**
 * The faults that are switched on, for tests of error handling. They are in the database, so that a
 * fault survives a crash during its test.
 */
export class Faults {
  readonly #db: DatabaseSync;
  readonly #enabled = new Map<FaultName, Fault>();
  readonly #changed = new Set<Fault>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    for (const row of sql(db, 'select * from fault').all()) {
      this.#enabled.set(row['name'] as FaultName, { ...row } as unknown as Fault);
    }
  }

  list(): Fault[] {
    return [...this.#enabled.values()];
  }

  enable(fault: Omit<Fault, 'rolls' | 'hits'>): Fault {
    this.disable(fault.name);
    const { name, rate, seed, remaining, ms, path } = fault;
    sql(
      this.#db,
      'insert into fault (name, rate, seed, remaining, ms, path) values (?, ?, ?, ?, ?, ?)',
    ).run(name, rate, seed, remaining, ms, path);
    const enabled = { ...fault, rolls: 0, hits: 0 };
    this.#enabled.set(name, enabled);
    return enabled;
  }

  disable(name: FaultName) {
    this.#enabled.delete(name);
    sql(this.#db, 'delete from fault where name = ?').run(name);
  }

  /** Saves the counters in the transaction of the next commit. */
  saveCounters() {
    for (const { remaining, rolls, hits, name } of this.#changed) {
      sql(this.#db, UPDATE_COUNTS).run(remaining, rolls, hits, name);
    }
    this.#changed.clear();
  }

  /**
   * Decides whether a fault applies to an operation. Seed and counter decide, so that a test can be
   * repeated.
   */
  evaluate(name: FaultName, path = ''): Fault | undefined {
    const fault = this.#enabled.get(name);
    if (!fault || fault.remaining === 0 || !path.startsWith(fault.path)) return undefined;
    fault.rolls += 1;
    const isHit = hashToFraction(`${fault.seed} ${name} ${fault.rolls}`) < fault.rate;
    if (isHit) {
      fault.hits += 1;
      if (fault.remaining !== null) fault.remaining -= 1;
    }
    this.#changed.add(fault);
    return isHit ? fault : undefined;
  }
}

/** Hashes a text to a number from 0 to 1. */
export const hashToFraction = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
