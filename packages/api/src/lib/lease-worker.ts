import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Maximum delay after an attempt has ended. Attempts end in bursts, and one claim then fills all free
 * slots. There is no delay when all attempts have ended.
 */
const COALESCE_MS = 15;
/** Delay after the queue could not be read. */
const PAUSE_AFTER_ERROR_MS = 1_000;
/** How long running attempts may take after `stop`, before they are aborted. */
const STOP_GRACE_MS = 5_000;

/** Reason of an abort that only ends a pause. The default would be a new error, with its stack, for each attempt. */
const ENDED = new Error('An attempt has ended.');

/** A part of a queue with slots of its own, so that slow jobs in one lane do not delay the others. */
interface Lane<Job> {
  /** Maximum number of simultaneous attempts in this process. */
  slots: number;
  /** Claims due jobs, at most `count`. Each gets a lease, and its attempt is counted. */
  claim: (count: number) => Promise<readonly Job[]>;
}

export interface LeaseQueue<Job> {
  lanes: readonly Lane<Job>[];
  /** Poll interval, and so the maximum delay of a new job in an idle worker. */
  pollMs: number;
  /**
   * Makes one attempt and saves its outcome. It must end soon after `signal` is aborted. If it throws,
   * the job is repeated when its lease has expired.
   */
  attempt: (job: Job, signal: AbortSignal) => Promise<void>;
  onClaimError: (error: unknown) => void;
  onAttemptError: (error: unknown, job: Job) => void;
  /** Closes what the attempts used. Called when the worker has stopped. */
  close?: (() => Promise<void>) | undefined;
}

export interface LeaseWorker {
  /** Claims nothing more, waits for running attempts and aborts those that take longer than `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Starts a worker of a queue in the database. It runs until stopped, in any number of processes.
 *
 * Delivery is at least once: an attempt is counted when its job is claimed, and if the process dies,
 * the lease expires and another worker repeats the job.
 */
export function startLeaseWorker<Job>(queue: LeaseQueue<Job>): LeaseWorker {
  const stopping = new AbortController();
  const lanes = queue.lanes.map((lane) => new LaneWorker(queue, lane, stopping.signal));
  return {
    async stop(graceMs = STOP_GRACE_MS) {
      stopping.abort();
      await Promise.all(lanes.map(({ looping }) => looping));
      const unfinished = lanes.flatMap(({ running }) => [...running]);
      const ended = Promise.all(unfinished.map(([attempt]) => attempt));
      await Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
      for (const [, aborting] of unfinished) aborting.abort();
      await ended;
      await queue.close?.();
    },
  };
}

/** Claims and attempts the jobs of one lane, so that no lane waits for the claims of another. */
class LaneWorker<Job> {
  /** Resolves when the worker is stopping and claims nothing more. */
  readonly looping: Promise<void>;
  readonly running = new Map<Promise<void>, AbortController>();
  readonly #queue: LeaseQueue<Job>;
  readonly #lane: Lane<Job>;
  readonly #stopping: AbortSignal;
  /** Aborted when an attempt has ended. */
  #attemptEnded = new AbortController();
  /** Aborted when all attempts have ended. */
  #allEnded = new AbortController();

  constructor(queue: LeaseQueue<Job>, lane: Lane<Job>, stopping: AbortSignal) {
    this.#queue = queue;
    this.#lane = lane;
    this.#stopping = stopping;
    this.looping = this.#loop();
  }

  async #loop(): Promise<void> {
    while (!this.#stopping.aborted) {
      // Created before claiming, so that an attempt that ends in between is noticed.
      this.#attemptEnded = new AbortController();
      this.#allEnded = new AbortController();
      const claimed = await this.#claimForFreeSlots().catch(async (error: unknown) => {
        this.#queue.onClaimError(error);
        await pause(PAUSE_AFTER_ERROR_MS, this.#stopping);
      });
      if (claimed !== 0) continue;
      await pause(this.#queue.pollMs, this.#attemptEnded.signal, this.#stopping);
      if (this.#attemptEnded.signal.aborted)
        await pause(COALESCE_MS, this.#allEnded.signal, this.#stopping);
    }
  }

  async #claimForFreeSlots(): Promise<number> {
    const { slots, claim } = this.#lane;
    if (this.running.size === slots) return 0;
    const jobs = await claim(slots - this.running.size);
    for (const job of jobs) this.#startAttempt(job);
    return jobs.length;
  }

  #startAttempt(job: Job): void {
    const aborting = new AbortController();
    const attempt = this.#queue
      .attempt(job, aborting.signal)
      .catch((error: unknown) => this.#queue.onAttemptError(error, job))
      .finally(() => {
        this.running.delete(attempt);
        this.#attemptEnded.abort(ENDED);
        if (this.running.size === 0) this.#allEnded.abort(ENDED);
      });
    this.running.set(attempt, aborting);
  }
}

/** Sleeps until one of the signals is aborted, at most `ms`. */
const pause = (ms: number, ...signals: AbortSignal[]) =>
  sleep(ms, undefined, { signal: AbortSignal.any(signals) }).catch(() => {});

/** A promise that rejects when `signal` is aborted, to race with work that ignores the signal. */
export const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
