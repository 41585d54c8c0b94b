import type { DatabaseSync } from 'node:sqlite';
import type { Log } from './log.ts';
import { Ledger } from './ledger.ts';
import type { Clock } from './clock.ts';
import { sql, transact } from './database.ts';
import type { Faults } from './faults.ts';
import { newId } from './ids.ts';

/** What happens by itself, by name; each is told which object it is about. */
export type ScheduledJobs = Record<string, (books: Ledger, id: string, run: RunUntil) => void>;

/** Does what waits for one of Stripe's test clocks, within the happening that asks for it. */
export type RunUntil = (testClock: string, to: number) => void;

type DueJob = { id: number; at: number; account: string; what: string; object_id: string };

type Options = {
  db: DatabaseSync;
  clock: Clock;
  /** Where browsers find the sandbox, once that is known. */
  address: { url: string };
  faults: Faults;
  scheduledJobs: ScheduledJobs;
  committed: () => void;
  log: Log;
};

/** So many things share one commit, when time is turned on by a month. */
const BATCH_SIZE = 100;

/** Timers cannot wait for longer; then they look again. */
const MAX_TIMER_MS = 24 * 60 * 60 * 1000;

/**
 * Does what is due, in the order of time: renewals, retries, payouts, deadlines.
 *
 * What is due is written in the transaction that makes it so, and is crossed out in the one that
 * does it; a crash in between changes nothing.
 */
export class Scheduler {
  readonly #options: Options;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Does what is due by now and sleeps until the next thing is; called after every commit. */
  readonly runDueJobs = () => {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    const { clock } = this.#options;
    this.#runUntil(clock.now());
    const next = this.#next('');
    if (!next) return;
    const wait = Math.min(MAX_TIMER_MS, Math.max(0, clock.millisecondsUntil(next.at)));
    this.#timer = setTimeout(this.runDueJobs, wait);
    this.#timer.unref();
  };

  /** Turns the sandbox's time on; everything in between happens at its own moment. */
  advanceTo(to: number) {
    const { db, clock } = this.#options;
    this.#runUntil(to, (at) => clock.advanceTo(at));
    transact(db, () => clock.advanceTo(to));
    this.runDueJobs();
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

  #batch(testClock: string, to: number, reach: (at: number) => void = () => {}, most = BATCH_SIZE) {
    for (let count = 0; count < most; count += 1) {
      const due = this.#next(testClock);
      if (!due || due.at > to) return;
      reach(due.at);
      this.#do(due, testClock);
    }
  }

  #do(due: DueJob, testClock: string) {
    const { db, clock, scheduledJobs, log } = this.#options;
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
      const books = new Ledger(store, due.account, cause);
      scheduledJobs[due.what]?.(books, due.object_id, (id, to) =>
        this.#batch(id, to, undefined, Infinity),
      );
    } catch (error) {
      db.exec('rollback to happening');
      log(`${due.what} of ${due.object_id} failed: ${String(error)}`, 'error');
    }
    db.exec('release happening');
  }

  #next(testClock: string): DueJob | undefined {
    return sql(
      this.#options.db,
      'select * from agenda where clock = ? order by at, id limit 1',
    ).get(testClock) as DueJob | undefined;
  }
}
