import { install } from '@sinonjs/fake-timers';
import type pg from 'pg';

const DAY_MS = 86_400_000;
/** Each history starts at this time of a new day, so that it does not depend on the histories before it. */
const TIME_OF_DAY_MS = 12 * 3_600_000;
const FIRST_DAY_MS = Date.UTC(2026, 0, 5);
/** Times are multiples of this, so that the clock moves seldom. */
const RESOLUTION_MS = 100;

const REPLACED = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'Date',
  'performance',
] as const;

interface Sleeper {
  wakeAtMs: number;
  wake: () => void;
}

/**
 * The clock of a simulation: that of Node with its timers, and that of PostgreSQL. It stands still until it
 * is advanced.
 */
export class SimulatedClock {
  readonly #connection: pg.Client;
  #node = install({ now: FIRST_DAY_MS, toFake: [...REPLACED] });
  #nowMs = FIRST_DAY_MS;
  /** The time of the database's clock. */
  #savedMs = 0;
  #sleepers: Sleeper[] = [];

  private constructor(connection: pg.Client) {
    this.#connection = connection;
  }

  /** Replaces the clock of this process, and that of the database, which must not be used otherwise. */
  static async install(connection: pg.Client): Promise<SimulatedClock> {
    await connection.query(SIMULATED_DATABASE_CLOCK);
    const { rows } = await connection.query<{ column: string }>(COLUMNS_WITH_CLOCK);
    for (const { column } of rows) {
      await connection.query(`${column} set default public.clock_timestamp()`);
    }
    return new SimulatedClock(connection);
  }

  /** The right time, in milliseconds since 1970. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Makes the clock of Node differ from the right time, which PostgreSQL has. */
  setError(ms: number): void {
    this.#node.setSystemTime(this.#nowMs + ms);
  }

  /** Waits until the clock has been advanced by this time. */
  sleep(ms: number): Promise<void> {
    const wakeAtMs = Math.ceil((this.#nowMs + ms) / RESOLUTION_MS) * RESOLUTION_MS;
    return new Promise((wake) => void this.#sleepers.push({ wakeAtMs, wake }));
  }

  /** Advances to the time at which the next sleeper wakes. @returns false if nobody sleeps */
  advanceToNextSleeper(): boolean {
    const nextMs = Math.min(...this.#sleepers.map(({ wakeAtMs }) => wakeAtMs));
    if (nextMs === Infinity) return false;
    this.advance(Math.max(0, nextMs - this.#nowMs));
    return true;
  }

  /** Advances the clock of Node. That of PostgreSQL follows with `setDatabaseClock`. */
  advance(ms: number): void {
    this.#nowMs += ms;
    this.#node.tick(ms);
    const due = this.#sleepers.filter(({ wakeAtMs }) => wakeAtMs <= this.#nowMs);
    this.#sleepers = this.#sleepers.filter(({ wakeAtMs }) => wakeAtMs > this.#nowMs);
    for (const { wake } of due) wake();
  }

  /** Forgets what waits for the clock, and continues on the next day. */
  async startHistory(): Promise<void> {
    this.#sleepers = [];
    this.#node.uninstall();
    this.#nowMs = (Math.floor(this.#nowMs / DAY_MS) + 1) * DAY_MS + TIME_OF_DAY_MS;
    this.#node = install({ now: this.#nowMs, toFake: [...REPLACED] });
    await this.#connection.query(`select setval('public.simulated_tick', 0)`);
    await this.setDatabaseClock();
  }

  /** Sets the clock of PostgreSQL. Must be called before each statement that may read it. */
  async setDatabaseClock(): Promise<void> {
    if (this.#savedMs === this.#nowMs) return;
    this.#savedMs = this.#nowMs;
    await this.#connection.query({
      name: 'set clock',
      text: `select setval('public.simulated_clock', $1)`,
      values: [this.#nowMs],
    });
  }

  /** Restores the clock of this process. */
  uninstall(): void {
    this.#node.uninstall();
  }
}

/**
 * SQL: functions that hide those of PostgreSQL, because the schema comes first in the search path.
 *
 * Each statement that calls `clock_timestamp()` gets a later time than those before it: PostgreSQL would return rows
 * with equal times in the order in which they happen to be stored, which depends on earlier histories. All calls of
 * a statement return one time, because how many rows it reads, and so how often it calls the function, depends on
 * random ids. `now()` returns the time of the statement's first call of it, without the next tick.
 *
 * The time is the value of a sequence, in milliseconds since 1970, and the functions contain no query, because they are
 * called forty times for a donation: a query in them would take four times as long as the rest of the function.
 */
const SIMULATED_DATABASE_CLOCK = `
  create sequence public.simulated_clock minvalue 0;
  create sequence public.simulated_tick minvalue 0;
  create function public.clock_timestamp() returns timestamptz language plpgsql volatile as $$
  declare ignored text; begin
    if current_setting('simulated.statement', true) is distinct from statement_timestamp()::text then
      ignored := set_config('simulated.statement', statement_timestamp()::text, false);
      ignored := set_config('simulated.tick', nextval('public.simulated_tick')::text, false);
    end if;
    return to_timestamp((pg_sequence_last_value('public.simulated_clock')
      + current_setting('simulated.tick')::bigint) / 1000.0);
  end $$;
  create function public.now() returns timestamptz language plpgsql stable as $$
  declare ignored text; begin
    if current_setting('simulated.now_statement', true) is distinct from statement_timestamp()::text then
      ignored := set_config('simulated.now_statement', statement_timestamp()::text, false);
      ignored := set_config('simulated.now', ((pg_sequence_last_value('public.simulated_clock')
        + pg_sequence_last_value('public.simulated_tick')) / 1000.0)::text, false);
    end if;
    return to_timestamp(current_setting('simulated.now')::float8);
  end $$;
  do $$ declare name regclass; begin
    execute format('alter database %I set search_path = public, pg_catalog', current_database());
    -- Compiling a statement would take longer than executing it.
    execute format('alter database %I set jit = off', current_database());
    -- By default a connection plans a named statement at least five times before it keeps a plan, so that plans would
    -- depend on how often earlier histories have executed it.
    execute format('alter database %I set plan_cache_mode = force_generic_plan', current_database());
    -- Vacuum runs at any time, and changes where rows are stored and which plan a statement has.
    for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s set (autovacuum_enabled = off)', name);
    end loop;
  end $$`;

/** SQL: the columns whose default value is the time. */
const COLUMNS_WITH_CLOCK = `
  select format('alter table %s alter column %I', attrelid::regclass, attname) as column
  from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
  where pg_get_expr(adbin, adrelid) in ('clock_timestamp()', 'now()')`;
