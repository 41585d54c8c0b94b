import type { SeededRandom } from './seeded-random.ts';

/** Turns of the event loop without any activity, after which all code waits for operations or for the clock. */
const QUIET_TURNS = 3;
/** Interval of asking whether an operation waits for a lock, in milliseconds of the real clock. */
const LOCK_CHECK_MS = 2;

const realSetTimeout = setTimeout; // The simulated clock replaces the global function.
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));
const lockCheckDelay = () =>
  new Promise<undefined>((resolve) => void realSetTimeout(resolve, LOCK_CHECK_MS, undefined));

/** Something that a simulated program waits for: an SQL statement, a call to the processor, a request. */
interface Operation<Result> {
  name: string;
  execute: () => Promise<Result>;
  /** Whether it is waiting for a lock that another operation holds. Undefined if it never does. */
  isLocked?: () => Promise<boolean>;
  /** The process that waits for it. */
  owner?: object;
}

interface WaitingOperation extends Omit<Operation<unknown>, 'execute'> {
  /** Executes it. Returns a function that gives the result to the waiting program. */
  execute: () => Promise<() => void>;
}

interface StartedOperation extends WaitingOperation {
  finished: Promise<() => void>;
}

/**
 * Decides which operation happens next. Simulated programs run in one Node process, but each of their
 * operations waits until it is chosen, so that a seed determines the whole history.
 *
 * After each operation, all code runs until it waits again. An operation that waits for a lock in the
 * database stays started, until another operation releases the lock.
 */
export class Scheduler {
  /** The operations that happened, in order. */
  readonly trace: string[] = [];
  readonly #random: SeededRandom;
  #waiting: WaitingOperation[] = [];
  #started: StartedOperation[] = [];
  #activity = 0;
  #running = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Waits until the operation is chosen, executes it and returns its result. */
  operation<Result>({ execute, ...operation }: Operation<Result>): Promise<Result> {
    this.#activity += 1;
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
    this.#running += 1;
    return await work.finally(() => {
      this.#running -= 1;
      this.#activity += 1;
    });
  }

  /** Executes one operation that is waiting. @returns its name, or undefined if there is none */
  async step(): Promise<string | undefined> {
    await this.settle();
    if (this.#waiting.length === 0) return undefined;
    const operation = this.#random.take(this.#waiting);
    this.trace.push(operation.name);
    this.#started.push({ ...operation, finished: operation.execute() });
    await this.#finishStarted();
    return operation.name;
  }

  /** Waits until all code waits for operations or for the clock. */
  async settle(): Promise<void> {
    for (let quietTurns = 0, seen = this.#activity; quietTurns < QUIET_TURNS; quietTurns += 1) {
      await nextTurn();
      if (this.#running === 0 && seen === this.#activity) continue;
      [quietTurns, seen] = [-1, this.#activity];
    }
  }

  /**
   * Waits until each started operation has finished or waits for a lock. The last one comes first, because
   * only its end can release the locks of the others.
   */
  async #finishStarted(): Promise<void> {
    let unchecked = this.#started.toReversed();
    while (unchecked.length > 0) {
      const operation = unchecked.shift()!;
      const deliver = await finishedOrLocked(operation);
      if (!deliver) continue;
      this.#started = this.#started.filter((each) => each !== operation);
      deliver();
      await this.settle();
      unchecked = [...this.#started]; // It may have released the lock of another operation.
    }
  }
}

async function finishedOrLocked({
  finished,
  isLocked,
}: StartedOperation): Promise<(() => void) | undefined> {
  if (!isLocked) return await finished;
  for (;;) {
    const deliver = await Promise.race([finished, lockCheckDelay()]);
    if (deliver) return deliver;
    if (await isLocked()) return undefined;
  }
}
