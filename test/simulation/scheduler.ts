import type { SeededRandom } from './seeded-random.ts';

/** Interval of asking whether an operation waits for a lock, in milliseconds of the real clock. */
const LOCK_CHECK_MS = 2;

// The simulated clock replaces the global functions.
const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;
/** Resolves when all promises and ticks have run that do not wait for anything outside of JavaScript. */
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** The locks that an operation may wait for. While it is paused it can get a lock, but does not continue. */
interface LockWait {
  isLocked: () => Promise<boolean>;
  /** @throws {Error} if it will never get the lock */
  pause: () => Promise<void>;
  resume: () => void;
}

/** Something that a simulated program waits for: an SQL statement, a call to the processor, a request. */
interface Operation<Result> {
  name: string;
  execute: () => Promise<Result>;
  /** Undefined if it never waits for a lock. */
  lock?: LockWait;
  /** The process that waits for it. */
  owner?: object;
}

interface WaitingOperation extends Omit<Operation<unknown>, 'execute'> {
  /** Executes it. Returns a function that gives the result to the waiting program. */
  execute: () => Promise<() => void>;
}

interface StartedOperation extends WaitingOperation {
  finished: Promise<() => void>;
  /** Whether it was waiting for a lock, and must be resumed to continue. */
  isPaused: boolean;
}

/**
 * Decides which operation happens next. Simulated programs run in one Node process, but each of their
 * operations waits until it is chosen, so that a seed determines the whole history.
 *
 * After each operation, all code runs until it waits again. An operation that waits for a lock in the
 * database stays started, until another operation, or the crash of a process, releases the lock. Such operations are
 * paused and then continue one after the other. Otherwise two that continue at the same time would compete for the next
 * lock.
 */
export class Scheduler {
  /** The operations that happened, in order. */
  readonly trace: string[] = [];
  readonly #random: SeededRandom;
  #waiting: WaitingOperation[] = [];
  #started: StartedOperation[] = [];
  readonly #checks = new Set<Promise<unknown>>();
  /** Whether an operation was started since all programs waited, so that they still do. */
  #hasJustStarted = false;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Waits until the operation is chosen, executes it and returns its result. */
  operation<Result>({ execute, ...operation }: Operation<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const executeOperation = () =>
        execute().then(
          (result) => () => resolve(result),
          (error: unknown) => () => reject(error as Error),
        );
      this.#waiting.push({ ...operation, execute: executeOperation });
    });
  }

  /** Removes the operations of a process that crashes. */
  abandon(owner: object): void {
    this.#waiting = this.#waiting.filter((operation) => operation.owner !== owner);
    this.#started = this.#started.filter((operation) => operation.owner !== owner);
  }

  /** Waits for work outside of the simulation, such as a check in the database, before anything else happens. */
  async track<Result>(work: Promise<Result>): Promise<Result> {
    this.#checks.add(work);
    return await work.finally(() => this.#checks.delete(work));
  }

  /** Starts one operation that is waiting. @returns its name, or undefined if there is none */
  start(): string | undefined {
    if (this.#waiting.length === 0) return undefined;
    const operation = this.#random.take(this.#waiting);
    this.trace.push(operation.name);
    this.#hasJustStarted = true;
    this.#started.unshift({ ...operation, finished: operation.execute(), isPaused: false });
    return operation.name;
  }

  /**
   * Waits until nothing happens any more unless an operation is started, the clock advances or a process
   * crashes.
   *
   * Simulated code waits for nothing else than operations, timers and checks. One turn of the event loop is
   * therefore enough for the code in Node, which runs all of its promises before the next turn. Statements in
   * PostgreSQL take any number of turns. So this waits until no check runs, and each started statement has
   * finished or waits for a lock, also those whose locks a crash has released.
   */
  async settle(): Promise<void> {
    if (!this.#hasJustStarted) await this.#untilProgramsWait();
    this.#hasJustStarted = false;
    while (await this.#deliverOne()) await this.#untilProgramsWait();
  }

  async #untilProgramsWait(): Promise<void> {
    await nextTurn();
    while (this.#checks.size > 0) {
      await Promise.allSettled([...this.#checks]);
      await nextTurn();
    }
  }

  /**
   * Gives the result of one operation to the program that waits for it. The last one comes first, because only its
   * end can release the locks of the others.
   *
   * @returns false if all started operations wait for locks
   */
  async #deliverOne(): Promise<boolean> {
    for (const operation of this.#started) {
      const deliver = await finishedOrLocked(operation);
      if (!deliver) continue;
      this.#started = this.#started.filter((each) => each !== operation);
      deliver();
      return true;
    }
    return false;
  }
}

/** Lets an operation proceed until it has finished or waits for a lock. Then no other operation is proceeding. */
async function finishedOrLocked(operation: StartedOperation): Promise<(() => void) | undefined> {
  const { finished, lock } = operation;
  if (!lock) return await finished;
  if (operation.isPaused) {
    if (await lock.isLocked()) return undefined;
    lock.resume();
    operation.isPaused = false;
  }
  for (;;) {
    const deliver = await within(finished, LOCK_CHECK_MS);
    if (deliver) return deliver;
    if (await lock.isLocked()) break;
  }
  await lock.pause();
  operation.isPaused = true;
  return undefined;
}

/** Waits for a result at most this long. @returns undefined if it takes longer */
async function within<Result>(
  work: Promise<Result>,
  timeoutMs: number,
): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = realSetTimeout(resolve, timeoutMs, undefined);
  });
  return await Promise.race([work, timeout]).finally(() => realClearTimeout(timer));
}
