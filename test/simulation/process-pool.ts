import type pg from 'pg';
import { pause, resume } from './server-process.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedClock } from './simulated-clock.ts';
import { Violation } from './violation.ts';

/** Does not resolve, as no code of a crashed process runs any more. */
const never = () => new Promise<never>(() => {});

interface LentClient {
  client: pg.PoolClient;
  /** The statement that was sent, as long as it has no result. */
  running: Promise<unknown> | undefined;
}

interface ProcessPoolOptions {
  pool: pg.Pool;
  scheduler: Scheduler;
  /** Executes statements outside of the simulation. */
  control: pg.Client;
  clock: SimulatedClock;
  processName: string;
  /** Changes the text of a statement, for a planted defect. */
  rewriteSql: (text: string) => string;
}

/**
 * The database connections of a simulated process. Each statement is an operation of the scheduler. They
 * come from a real pool, which outlives the process, because new connections are slow.
 */
export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  readonly #lent = new Set<LentClient>();
  #isCrashed = false;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
  }

  /** The pool that the process uses. */
  get pool(): pg.Pool {
    const replaced = {
      connect: () => this.#connect(),
      query: async (...args: unknown[]) => {
        const { query, release } = await this.#connect();
        return await query(...args).finally(release);
      },
    };
    return Object.assign(Object.create(this.#options.pool) as pg.Pool, replaced);
  }

  async #connect() {
    if (this.#isCrashed) return await never();
    const client = await this.#options.pool.connect();
    if (this.#isCrashed) {
      client.release();
      return await never();
    }
    const lent: LentClient = { client, running: undefined };
    this.#lent.add(lent);
    const release = () => {
      if (this.#lent.delete(lent)) client.release();
    };
    const query = (...args: unknown[]) => this.#query(lent, args);
    return { query, release };
  }

  /** Ends the statements and the transactions of the process, as PostgreSQL does for a lost connection. */
  async crash(): Promise<void> {
    this.#isCrashed = true;
    this.#options.scheduler.abandon(this);
    // At once, because the end of one statement may release the lock that another one waits for.
    const running = [...this.#lent].filter((lent) => lent.running !== undefined);
    if (running.length > 0) {
      await this.#options.control.query(
        'select pg_cancel_backend(pid) from unnest($1::int[]) as pid',
        [running.map(({ client }) => processIdOf(client))],
      );
      for (const { client, running: result } of running) {
        resume(processIdOf(client));
        await result?.catch(() => {});
      }
    }
    for (const { client } of this.#lent) {
      await client.query('rollback');
      client.release();
    }
    this.#lent.clear();
  }

  /** Stops a process that waits for a lock. @throws {Violation} if it is deadlocked */
  async #pause(processId: number): Promise<void> {
    const { control } = this.#options;
    const statement = { name: 'is deadlocked', text: IS_DEADLOCKED, values: [processId] };
    const { rows } = await control.query<{ deadlocked: boolean }>(statement);
    if (rows[0]!.deadlocked) throw new Violation('Statements wait for each other.');
    pause(processId);
  }

  #query(lent: LentClient, [config, ...rest]: unknown[]): Promise<unknown> {
    const { scheduler, control, clock, processName, rewriteSql } = this.#options;
    const { client } = lent;
    const statement = rewriteStatement(config, rewriteSql);
    const execute = async () => {
      await clock.setDatabaseClock();
      lent.running = (client.query as (...args: unknown[]) => Promise<unknown>)(statement, ...rest);
      return await lent.running.finally(() => (lent.running = undefined));
    };
    const isLocked = async () => {
      const { rows } = await control.query<{ locked: boolean }>({
        name: 'is locked',
        text: 'select cardinality(pg_blocking_pids($1)) > 0 as locked',
        values: [processIdOf(client)],
      });
      return rows[0]!.locked;
    };
    return scheduler.operation({
      name: `${processName}: ${describe(statement)}`,
      execute,
      lock: {
        isLocked,
        pause: () => this.#pause(processIdOf(client)),
        resume: () => resume(processIdOf(client)),
      },
      owner: this,
    });
  }
}

/**
 * SQL: whether a process waits for itself. PostgreSQL itself would notice it only after a second, in which the process is
 * paused.
 */
const IS_DEADLOCKED = `
  with recursive blocking (pid) as (
    select unnest(pg_blocking_pids($1)) union select unnest(pg_blocking_pids(pid)) from blocking
  ) select $1 = any (select pid from blocking) as deadlocked`;

/** Id of the process of PostgreSQL that serves a connection. */
const processIdOf = (client: pg.PoolClient): number =>
  (client as unknown as { processID: number }).processID;

type Statement = string | { text: string };

const rewriteStatement = (config: unknown, rewriteSql: (text: string) => string): Statement =>
  typeof config === 'string'
    ? rewriteSql(config)
    : { ...(config as { text: string }), text: rewriteSql((config as { text: string }).text) };

const descriptions = new Map<string, string>();

/** The beginning of a statement. Remembered, because most statements repeat. */
function describe(statement: Statement): string {
  const text = typeof statement === 'string' ? statement : statement.text;
  let description = descriptions.get(text);
  if (description === undefined) {
    description = text.slice(0, 400).replaceAll(/\s+/g, ' ').trim().slice(0, 100);
    descriptions.set(text, description);
  }
  return description;
}
