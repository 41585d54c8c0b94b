import type { DatabaseSync } from 'node:sqlite';
import type { Log } from './log.ts';
import { Books } from './books.ts';
import type { Clock } from './clock.ts';
import { sql, transact } from './database.ts';
import type { Faults } from './faults.ts';
import { newId } from './ids.ts';

/** What happens by itself, by name; each is told which object it is about. */
export type Happenings = Record<string, (books: Books, id: string, run: RunUntil) => void>;

/** Does what waits for one of Stripe's test clocks, within the happening that asks for it. */
export type RunUntil = (testClock: string, to: number) => void;

type Due = { id: number; at: number; account: string; what: string; object_id: string };

type Options = {
  db: DatabaseSync;
  clock: Clock;
  /** Where browsers find the sandbox, once that is known. */
  address: { url: string };
  faults: Faults;
  happenings: Happenings;
  committed: () => void;
  log: Log;
};

/** So many things share one commit, when time is turned on by a month. */
const BATCH = 100;

/** Timers cannot wait for longer; then they look again. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/**
 * Does what is due, in the order of time: renewals, retries, payouts, deadlines.
 *
 * What is due is written in the transaction that makes it so, and is crossed out in the one that
 * does it; a crash in between changes nothing.
 */
export class Agenda {
  readonly #options: Options;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Does what is due by now and sleeps until the next thing is; called after every commit. */
  readonly poke = () => {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    const { clock } = this.#options;
    this.#runUntil(clock.now());
    const next = this.#next('');
    if (!next) return;
    const wait = Math.min(LONGEST_WAIT_MS, Math.max(0, clock.until(next.at)));
    this.#timer = setTimeout(this.poke, wait);
    this.#timer.unref();
  };

  /** Turns the sandbox's time on; everything in between happens at its own moment. */
  advance(to: number) {
    const { db, clock } = this.#options;
    this.#runUntil(to, (at) => clock.turnTo(at));
    transact(db, () => clock.turnTo(to));
    this.poke();
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #runUntil(to: number, reach: (at: number) => void = () => {}) {
    const { db, committed } = this.#options;
    while ((this.#next('')?.at ?? Infinity) <= to) {
      transact(db, () => this.#batch('', to, reach));
      committed();
    }
  }

  #batch(testClock: string, to: number, reach: (at: number) => void = () => {}, most = BATCH) {
    for (let count = 0; count < most; count += 1) {
      const due = this.#next(testClock);
      if (!due || due.at > to) return;
      reach(due.at);
      this.#do(due, testClock);
    }
  }

  #do(due: Due, testClock: string) {
    const { db, clock, happenings, log } = this.#options;
    sql(db, 'delete from agenda where id = ?').run(due.id);
    const now = testClock ? () => due.at : clock.now;
    const store = {
      db,
      now,
      faults: this.#options.faults,
      url: this.#options.address.url,
      clock: testClock,
    };
    const cause = { requestId: newId('req'), idempotencyKey: null };
    db.exec('savepoint happening');
    try {
      const books = new Books(store, due.account, cause);
      happenings[due.what]?.(books, due.object_id, (id, to) =>
        this.#batch(id, to, undefined, Infinity),
      );
    } catch (error) {
      db.exec('rollback to happening');
      log(`${due.what} of ${due.object_id} failed: ${String(error)}`, 'error');
    }
    db.exec('release happening');
  }

  #next(testClock: string): Due | undefined {
    return sql(
      this.#options.db,
      'select * from agenda where clock = ? order by at, id limit 1',
    ).get(testClock) as Due | undefined;
  }
}
