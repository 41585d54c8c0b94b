import type pg from 'pg';

/** Does not resolve, as no code of a crashed process runs any more. */
export const never = () => new Promise<never>(() => {});

/**
 * Crashes a simulated process after a chosen operation, before its result arrives. An operation is an
 * SQL statement of the pool or a call to the processor that runs in `operation`. A crash before an
 * operation has the same effect as a crash after the operation before it.
 *
 * After a crash, the action is abandoned: none of its later code runs, not even its error handlers, and
 * its open transaction is rolled back, as PostgreSQL does for a lost connection. Only one action may run
 * at a time.
 */
export class CrashPoints {
  #remaining = Infinity;
  #onCrash = () => {};

  constructor(pool: pg.Pool) {
    pool.on('acquire', (client) => this.#intercept(client));
  }

  /**
   * Runs an action that crashes after the operation with this index.
   *
   * @returns the result, or undefined if it crashed
   */
  async run<Result>(index: number, action: () => Promise<Result>): Promise<Result | undefined> {
    const crashed = new Promise<undefined>((resolve) => {
      this.#onCrash = () => resolve(undefined);
    });
    this.#remaining = index;
    try {
      return await Promise.race([crashed, action()]);
    } finally {
      this.#remaining = Infinity;
    }
  }

  /** Runs one operation, and crashes after it if it is the chosen one. */
  async operation<Result>(
    execute: () => Promise<Result>,
    cleanUp: () => Promise<void> = async () => {},
  ): Promise<Result> {
    if (this.#remaining-- !== 0) return await execute();
    await execute();
    await cleanUp();
    this.#onCrash();
    return await never();
  }

  #intercept(client: pg.PoolClient): void {
    if (Object.hasOwn(client, 'query')) return;
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const rollBack = async () => {
      await query('rollback');
      client.release();
    };
    const intercepted = (...args: unknown[]) => {
      const callback = args.at(-1);
      if (typeof callback !== 'function') return this.operation(() => query(...args), rollBack);
      const report = callback as (error: unknown, result?: unknown) => void;
      this.operation(() => query(...args.slice(0, -1)), rollBack).then(
        (result) => report(undefined, result),
        (error: unknown) => report(error),
      );
      return undefined;
    };
    Object.assign(client, { query: intercepted });
  }
}
