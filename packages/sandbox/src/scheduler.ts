import type { DatabaseSync } from 'node:sqlite';
import type { Log } from './log.ts';
import { Ledger } from './ledger.ts';
import type { Clock } from './clock.ts';
import { isStorageError, sql, STORAGE_RETRY_MS, transact } from './database.ts';
import type { Faults } from './faults.ts';
import { newId } from './ids.ts';

/** Scheduled jobs by name; each receives the id of its object. */
export type ScheduledJobs = Record<string, (ledger: Ledger, id: string) => void>;

type DueJob = { id: number; at: number; account: string; name: string; object_id: string };

type Options = {
  db: DatabaseSync;
  clock: Clock;
  /** URL of the sandbox for browsers; set when the server listens. */
  address: { url: string };
  faults: Faults;
  scheduledJobs: ScheduledJobs;
  onCommitted: () => void;
  log: Log;
};

/** Number of jobs that share a commit while the time is advanced. */
const BATCH_SIZE = 100;

/**
 * Longest delay of the timer, after which it is set again, because `setTimeout` accepts 24.8 days
 * at most.
 */
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
    const { clock, log } = this.#options;
    try {
      this.#runUntil(clock.now());
    } catch (error) {
      if (!isStorageError(error)) throw error;
      log(`scheduled jobs could not be saved: ${error.message}`, 'error');
      this.#runLater(STORAGE_RETRY_MS);
      return;
    }
    const next = this.#next();
    if (next) this.#runLater(Math.max(0, clock.millisecondsUntil(next.at)));
  };

  #runLater(delayMs: number) {
    this.#timer = setTimeout(this.runDueJobs, Math.min(MAX_TIMER_MS, delayMs));
    this.#timer.unref();
  }

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
    const { db, onCommitted } = this.#options;
    while ((this.#next()?.at ?? Infinity) <= to) {
      transact(db, () => this.#runBatch(to, onTimeReached));
      onCommitted();
    }
  }

  #runBatch(to: number, onTimeReached: (at: number) => void) {
    for (let count = 0; count < BATCH_SIZE; count += 1) {
      const dueJob = this.#next();
      if (!dueJob || dueJob.at > to) return;
      onTimeReached(dueJob.at);
      this.#runJob(dueJob);
    }
  }

  #runJob(dueJob: DueJob) {
    const { db, clock, faults, address, scheduledJobs, log } = this.#options;
    sql(db, 'delete from scheduled_job where id = ?').run(dueJob.id);
    const store = { db, now: clock.now, faults, url: address.url };
    const cause = { requestId: newId('req'), idempotencyKey: null };
    db.exec('savepoint job');
    try {
      const ledger = new Ledger(store, dueJob.account, cause);
      scheduledJobs[dueJob.name]?.(ledger, dueJob.object_id);
    } catch (error) {
      // SQLite has ended the transaction, so no job of the batch was run.
      if (!db.isTransaction) throw error;
      db.exec('rollback to job');
      log(`${dueJob.name} of ${dueJob.object_id} failed: ${String(error)}`, 'error');
    }
    db.exec('release job');
  }

  #next(): DueJob | undefined {
    return sql(this.#options.db, 'select * from scheduled_job order by at, id limit 1').get() as
      DueJob | undefined;
  }
}
