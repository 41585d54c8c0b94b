import pg from 'pg';
import { withDatabase } from '@connect-embed/api/test-support/database/database-server';
import { cloneDatabase } from '@connect-embed/api/test-support/database/database';
import { openDatabase } from '@connect-embed/api/db/database';
import type { Db } from '@connect-embed/api/db/schema';
import { SimulatedClock } from './simulated-clock.ts';

/** Processes of the API in a simulation. */
const PROCESSES = 2;
/** Database connections of each. */
const POOL_SIZE = 6;

/** A database with a simulated clock, and open connections for the simulated processes. */
export interface Simulation extends AsyncDisposable {
  clock: SimulatedClock;
  /** Executes statements outside of the simulation. */
  control: pg.Client;
  db: Db;
  pools: readonly pg.Pool[];
}

/** Opens a simulation on a new database of the test server. */
export async function openSimulation(): Promise<Simulation> {
  await using disposables = new AsyncDisposableStack();
  const { url: pooledUrl, drop } = await cloneDatabase();
  disposables.defer(drop);
  // Without a connection pooler, so that each connection has a session of its own.
  const url = overSocket(
    withDatabase(process.env['TEST_SERVER_URL']!, new URL(pooledUrl).pathname.slice(1)),
  );
  const control = new pg.Client({ connectionString: url });
  await control.connect();
  disposables.defer(() => control.end());
  const clock = await SimulatedClock.install(control);
  disposables.defer(async () => clock.uninstall());
  const outside = openDatabase(url);
  disposables.defer(outside.close);
  const pools: pg.Pool[] = [];
  for (let index = 0; index < PROCESSES; index += 1) {
    // A statement that waits for a lock must not fail because the machine is slow.
    const { pool, close } = openDatabase(url, { limitStatements: false });
    disposables.defer(close);
    pools.push(pool);
    await openAllConnections(pool);
  }
  const { db } = outside;
  const owned = disposables.move();
  return { clock, control, db, pools, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Replaces the network by the Unix socket of the test server, if it has one: a statement costs less processor time. */
function overSocket(url: string): string {
  const folder = process.env['TEST_SERVER_SOCKET'];
  if (!folder) return url;
  const other = new URL(url);
  other.searchParams.set('host', folder);
  return other.href;
}

/** A connection that is opened later would be slow, and its start is no operation of the simulation. */
async function openAllConnections(pool: pg.Pool): Promise<void> {
  Object.assign(pool.options, { max: POOL_SIZE, idleTimeoutMillis: 0 });
  const clients = await Promise.all(Array.from({ length: POOL_SIZE }, () => pool.connect()));
  for (const client of clients) client.release();
}
