import { setTimeout as sleep } from 'node:timers/promises';

/** Delay after an attempt has ended. Attempts end in bursts, and one claim then fills all free slots. */
const COALESCE_MS = 15;
/** Delay after the queue could not be read. */
const PAUSE_AFTER_ERROR_MS = 1_000;
/** How long running attempts may take after `stop`, before they are aborted. */
const STOP_GRACE_MS = 5_000;

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
export const startLeaseWorker = <Job>(queue: LeaseQueue<Job>): LeaseWorker =>
  new QueueWorker(queue);

/** A lane with its running attempts. */
interface RunningLane<Job> extends Lane<Job> {
  running: Map<Promise<void>, AbortController>;
}

class QueueWorker<Job> implements LeaseWorker {
  readonly #queue: LeaseQueue<Job>;
  readonly #lanes: readonly RunningLane<Job>[];
  readonly #stopping = new AbortController();
  readonly #looping: Promise<void>;
  #wakingUp = new AbortController();

  constructor(queue: LeaseQueue<Job>) {
    this.#queue = queue;
    this.#lanes = queue.lanes.map((lane) => ({ ...lane, running: new Map() }));
    this.#looping = this.#loop();
  }

  async stop(graceMs = STOP_GRACE_MS): Promise<void> {
    this.#stopping.abort();
    this.#wakingUp.abort();
    await this.#looping;
    const unfinished = this.#lanes.flatMap(({ running }) => [...running]);
    const ended = Promise.all(unfinished.map(([attempt]) => attempt));
    await Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
    for (const [, aborting] of unfinished) aborting.abort();
    await ended;
    await this.#queue.close?.();
  }

  async #loop(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      // Created before claiming, so that an attempt that ends in between is noticed.
      this.#wakingUp = new AbortController();
      const claimed = await this.#claimForFreeSlots().catch(async (error: unknown) => {
        this.#queue.onClaimError(error);
        await pause(PAUSE_AFTER_ERROR_MS, this.#stopping.signal);
      });
      if (claimed !== 0) continue;
      await pause(this.#queue.pollMs, this.#wakingUp.signal);
      if (this.#wakingUp.signal.aborted) await pause(COALESCE_MS, this.#stopping.signal);
    }
  }

  async #claimForFreeSlots(): Promise<number> {
    let claimed = 0;
    for (const lane of this.#lanes) {
      const { slots, claim, running } = lane;
      if (running.size === slots) continue;
      const jobs = await claim(slots - running.size);
      for (const job of jobs) this.#startAttempt(lane, job);
      claimed += jobs.length;
    }
    return claimed;
  }

  #startAttempt({ running }: RunningLane<Job>, job: Job): void {
    const aborting = new AbortController();
    const attempt = this.#queue
      .attempt(job, aborting.signal)
      .catch((error: unknown) => this.#queue.onAttemptError(error, job))
      .finally(() => {
        running.delete(attempt);
        this.#wakingUp.abort();
      });
    running.set(attempt, aborting);
  }
}

/** Sleeps until `signal` is aborted, at most `ms`. */
const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {});

/** A promise that rejects when `signal` is aborted, to race with work that ignores the signal. */
export const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
