import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { ALL_SCOPES } from '@connect-embed/contract';
import { sql } from 'kysely';
import pino from 'pino';
import { startReplica } from '../../test-support/database/replica.ts';
import { startTemporary } from '../../test-support/database/database-server.ts';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { checkReplica } from '../doctor/replica.ts';
import { createApp } from '../app.ts';
import { createApiKey } from '../auth/api-key.ts';
import { readConfig } from '../config.ts';
import { createDeps } from '../process/deps.ts';
import { migrate } from './migrate.ts';
import { REPLICA_OPTIONS, openDatabase } from './database.ts';
import { ReadDatabase } from './read-database.ts';
import { DEMO_ORGANIZATION_ID as ORGANIZATION, seedIfEmpty } from './seed.ts';
import { eventually } from '../../test-support/app/start-api.ts';

const disposables = new AsyncDisposableStack();
after(() => disposables.disposeAsync());

const primaryServer = await startTemporary();
disposables.defer(primaryServer.stop);
const primaryDatabase = openDatabase(primaryServer.url);
const { db: primary } = primaryDatabase;
disposables.defer(primaryDatabase.close);
await migrate(primary);
await seedIfEmpty(primary);
const replicaServer = await startReplica(primaryServer.url);
disposables.defer(replicaServer.stop);
const { db: replica, close: closeReplica } = openDatabase(replicaServer.url);
disposables.defer(closeReplica);

const answeredBy: string[] = [];
const errors: unknown[] = [];
const openReads = (options: { replica: typeof replica } = { replica }) =>
  new ReadDatabase({
    primary,
    ...options,
    onRead: (database) => answeredBy.push(database),
    onReplicaError: (error) => errors.push(error),
  });
const reads = openReads();
const NO_REPLICA = { primary, replica: undefined, onRead: () => {}, onReplicaError: () => {} };

/** Counts donations, and returns the count with the name of the database that was read. */
async function count(database = reads, organizationId = ORGANIZATION): Promise<[number, string]> {
  const { donations } = await database
    .for(organizationId)
    .selectFrom('donation')
    .select(sql<number>`count(*)::int`.as('donations'))
    .executeTakeFirstOrThrow();
  return [donations, answeredBy.at(-1)!];
}

let donated = 0;
const donate = (db = primary) =>
  db
    .insertInto('donation')
    .values({
      id: `don_replica_${(donated += 1)}`,
      organization_id: ORGANIZATION,
      amount_cents: 5_000,
      currency: 'usd',
      source: 'api',
    } as never)
    .execute();

/** Counts the donations that the replica has, also if it lacks others. */
async function countReplicated(): Promise<number> {
  const { rows } = await sql<{ donations: number }>`select count(*)::int as donations
    from donation`.execute(replica);
  return rows[0]!.donations;
}

/** Waits until the replica answers. */
const untilReplica = () =>
  eventually(async () => ((await count())[1] === 'replica' ? true : undefined));

describe('reads with a replica', { concurrency: false }, () => {
  test('are answered by the replica', async () => {
    await donate();
    await untilReplica();
    const [donations] = await count();
    assert.ok(donations > 0);
  });

  test('are answered by the primary while the replica lacks a change of the organization', async () => {
    const [before] = await count();
    await sql`select pg_wal_replay_pause()`.execute(replica);
    await donate();
    assert.deepEqual(await count(), [before + 1, 'primary']);
    // The other organization has no change that the replica lacks.
    assert.equal((await count(reads, 'org_other'))[1], 'replica');
    await sql`select pg_wal_replay_resume()`.execute(replica);
    await untilReplica();
    assert.deepEqual(await count(), [before + 1, 'replica']);
  });

  test('see a transaction that committed after a later one', async () => {
    const [before] = await count();
    let commit = () => {};
    const slow = primary.transaction().execute(async (tx) => {
      await donate(tx);
      await new Promise<void>((resolve) => (commit = resolve));
    });
    await sql`select pg_sleep(0.05)`.execute(primary);
    await donate();
    assert.equal((await count())[0], before + 1);
    // From here on, the replica lacks only the earlier transaction.
    await eventually(async () => ((await countReplicated()) === before + 1 ? true : undefined));
    await sql`select pg_wal_replay_pause()`.execute(replica);
    commit();
    await slow;
    assert.deepEqual(await count(), [before + 2, 'primary']);
    await sql`select pg_wal_replay_resume()`.execute(replica);
    await untilReplica();
    assert.equal((await count())[0], before + 2);
  });

  test('see the new name of a fund', async () => {
    const readName = async () =>
      (
        await reads
          .for(ORGANIZATION)
          .selectFrom('fund')
          .select('name')
          .where('id', '=', 'fund_meals')
          .executeTakeFirstOrThrow()
      ).name;
    await sql`select pg_wal_replay_pause()`.execute(replica);
    await primary
      .updateTable('fund')
      .set({ name: 'Soup' })
      .where('id', '=', 'fund_meals')
      .execute();
    assert.equal(await readName(), 'Soup');
    await sql`select pg_wal_replay_resume()`.execute(replica);
  });

  test('are answered by the primary, without a delay, after the replica has failed', async () => {
    const unreachable = openDatabase('postgres://nobody@127.0.0.1:9/none');
    const failing = openReads({ replica: unreachable.db });
    for (let read = 0; read < 3; read += 1) assert.equal((await count(failing))[1], 'primary');
    assert.equal(errors.length, 1);
    await unreachable.close();
  });

  test('are not answered by a server that is no replica, such as a former primary', async () => {
    assert.equal((await count(openReads({ replica: primary })))[1], 'primary');
  });

  test('are answered by the primary if the replica accepts a connection and never responds', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const hanging = openDatabase(`postgres://nobody@127.0.0.1:${port}/none`, REPLICA_OPTIONS);
    assert.equal((await count(openReads({ replica: hanging.db })))[1], 'primary');
    assert.match((errors.at(-1) as Error).message, /timeout/);
    silent.close();
    await hanging.close();
  });

  test('are checked by connect-embed doctor', async () => {
    const check = async (database: typeof replica) => {
      const [result] = await checkReplica({ readDatabase: openReads({ replica: database }) });
      return `${result!.status}: ${result!.message}`;
    };
    assert.equal(
      await check(replica),
      'passed: Replica: lists, sums and exports are read from it.',
    );
    assert.match(await check(primary), /^failed: .* follows no primary, so it is not read\.$/);
    const { url, drop } = await cloneDatabase();
    const other = openDatabase(url);
    assert.match(await check(other.db), /^failed: .* is not the same database as DATABASE_URL\.$/);
    await other.close();
    await drop();
    const unreachable = openDatabase('postgres://nobody@127.0.0.1:9/none');
    assert.match(await check(unreachable.db), /^failed: Replica: .*ECONNREFUSED/);
    await unreachable.close();
    assert.deepEqual(await checkReplica({ readDatabase: new ReadDatabase(NO_REPLICA) }), []);
  });

  test('serve the API’s lists and sums', async () => {
    await untilReplica();
    const config = readConfig({ API_SECRET: 's'.repeat(32), DATABASE_URL: primaryServer.url });
    const silent = pino({}, { write() {} });
    const withReplica = createDeps(config, { ...primaryDatabase, replica }, silent);
    const app = createApp(withReplica);
    const appOfPrimary = createApp(createDeps(config, primaryDatabase, silent));
    const key = { organizationId: ORGANIZATION, name: 'test', scopes: ALL_SCOPES };
    const headers = { authorization: `Bearer ${(await createApiKey(primary, key)).token}` };
    const paths = [
      '/donations?limit=3',
      '/donations?q=a&sort=donor_name',
      '/donations/summary',
      '/donations/series?interval=month',
      '/donors',
      '/payouts',
      '/payouts/summary',
    ];
    for (const path of paths) {
      const [response, expected] = await Promise.all(
        [app, appOfPrimary].map(async (each) => await each.request(`/api/v1${path}`, { headers })),
      );
      assert.equal(response!.status, 200, path);
      const [page, expectedPage] = [await response!.json(), await expected!.json()];
      // Each encryption of a cursor differs.
      for (const each of [page, expectedPage])
        delete (each as Record<string, unknown>)['next_cursor'];
      assert.deepEqual(page, expectedPage, path);
    }
    const counted = await withReplica.metrics.register
      .getSingleMetric('connect_replica_reads_total')!
      .get();
    assert.deepEqual(
      counted.values.map(({ labels, value }) => [labels['database'], value]),
      // A search reads its matches, and then its rows; a chart reads its period, and then its sums.
      [['replica', paths.length + 2]],
    );
  });

  test('reject transactions', async () => {
    await assert.rejects(
      reads
        .for(ORGANIZATION)
        .transaction()
        .execute(async () => {}),
      /single queries/,
    );
  });
});
