import type { DatabaseSync } from 'node:sqlite';
import type { Log } from './log.ts';
import { Ledger } from './ledger.ts';
import type { Clock } from './clock.ts';
import { sql, transact } from './database.ts';
import type { Faults } from './faults.ts';
import { newId } from './ids.ts';

/** Scheduled jobs by name; each receives the id of its object. */
export type ScheduledJobs = Record<string, (books: Ledger, id: string, run: RunUntil) => void>;

/** Runs the jobs of a test clock within the job that advances it. */
export type RunUntil = (testClock: string, to: number) => void;

type DueJob = { id: number; at: number; account: string; what: string; object_id: string };

type Options = {
  db: DatabaseSync;
  clock: Clock;
  /** URL of the sandbox for browsers; set when the server listens. */
  address: { url: string };
  faults: Faults;
  scheduledJobs: ScheduledJobs;
  committed: () => void;
  log: Log;
};

/** Number of jobs that share a commit while the time is advanced. */
const BATCH_SIZE = 100;

/** Longest delay of the timer, which is then set again: `setTimeout` accepts 24.8 days at most. */
const MAX_TIMER_MS = 24 * 60 * 60 * 1000;

/**
 * Runs the scheduled jobs of the simulated Stripe in the order of their time: renewals, retries,
 * payouts, deadlines.
 *
 * A job is saved in the transaction that causes it, and deleted in the transaction that runs it, so
 * a crash neither loses nor repeats a job.
 */
export class Scheduler {
  readonly #options: Options;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Runs the jobs that are due and sets a timer for the next one; called after every commit. */
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

  /** Advances the sandbox's time; each job in between runs at its own time. */
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

  #runUntil(to: number, onTimeReached: (at: number) => void = () => {}) {
    const { db, committed } = this.#options;
    while ((this.#next('')?.at ?? Infinity) <= to) {
      transact(db, () => this.#batch('', to, onTimeReached));
      committed();
    }
  }

  #batch(testClock: string, to: number, reach: (at: number) => void = () => {}, most = BATCH_SIZE) {
    for (let count = 0; count < most; count += 1) {
      const due = this.#next(testClock);
      if (!due || due.at > to) return;
      reach(due.at);
      this.#runJob(due, testClock);
    }
  }

  #runJob(due: DueJob, testClock: string) {
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
