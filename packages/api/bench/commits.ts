/**
 * `npm run bench:commits`: measures how many donations per second are committed while a live table
 * is open, with the change log alone and with an additional `pg_notify` in each transaction,
 * which was rejected.
 *
 * The benchmark starts an embedded PostgreSQL with durable writes, or uses the server of
 * `--database-url`.
 * docs/decisions/0058-live-tables.md
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { openTestServer, withDatabase } from '../test-support/database/database-server.ts';
import { openDatabase } from '../src/db/database.ts';
import type { Db } from '../src/db/schema.ts';
import { startEmbedded } from '../src/db/embedded.ts';
import { seedIfEmpty } from '../src/db/seed.ts';
import { newId } from '../src/lib/id.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    'database-url': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const SECONDS = Number(options.seconds);
if (options.help || !(SECONDS > 0)) {
  process.stdout.write(`npm run bench:commits -- [--seconds 3] [--database-url postgres://…]

Prints how many donations a second are committed, with and without pg_notify in their transactions.
`);
  process.exit(options.help ? 0 : 1);
}
const ROUNDS = 3;
const CONCURRENCY = 16;
const ORGANIZATION = 'org_harbor';

/** The trigger function `log_inserted_rows` of db/schema.sql, with `pg_notify`. */
const WITH_NOTIFY = `create or replace function log_inserted_rows() returns trigger language plpgsql as $$
  begin
    insert into resource_change (organization_id, kind, resource_id)
      select organization_id, tg_table_name, id from new_rows;
    perform pg_notify('connect_live', changed.organization_id)
      from (select distinct organization_id from new_rows) as changed
      where exists (
        select from live_stream where live_stream.organization_id = changed.organization_id);
    return null;
  end $$`;

await using disposables = new AsyncDisposableStack();
const server = await openTestServer(options['database-url'] ?? (await startDurable()));
disposables.defer(server.close);
const database = openDatabase(withDatabase(server.url, server.template));
disposables.defer(database.close);
const { db } = database;
await seedIfEmpty(db);
const stream = { id: 'ls_bench', process: 'bench', session_id: 'bench' };
await db
  .insertInto('live_stream')
  .values({ ...stream, organization_id: ORGANIZATION })
  .execute();
const { rows } = await sql<{ text: string }>`
  select pg_get_functiondef('log_inserted_rows'::regproc) as text`.execute(db);
const functions = { log: rows[0]!.text, notify: WITH_NOTIFY };

await measure(db, 1); // Warm-up: compiles the code and opens all connections.
const rates: Record<keyof typeof functions, number[]> = { log: [], notify: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  for (const kind of ['log', 'notify'] as const) {
    await sql.raw(functions[kind]).execute(db);
    rates[kind].push(await measure(db, SECONDS));
  }
}
for (const [kind, name] of [
  ['log', 'change log alone'],
  ['notify', 'with pg_notify'],
] as const) {
  const sorted = rates[kind].toSorted((first, second) => first - second);
  const median = Math.round(sorted[Math.floor(ROUNDS / 2)]!);
  process.stdout.write(`${name.padEnd(18)} ${String(median).padStart(6)} commits/s\n`);
}

/**
 * Commits donations over many connections simultaneously.
 *
 * @returns commits per second
 */
async function measure(on: Db, seconds: number): Promise<number> {
  const deadlineMs = performance.now() + seconds * 1000;
  let commits = 0;
  const commit = async () => {
    while (performance.now() < deadlineMs) {
      await on.transaction().execute((tx) =>
        tx
          .insertInto('donation')
          .values({
            ...{ id: newId('don'), organization_id: ORGANIZATION, amount_cents: 500 },
            ...{ currency: 'usd', source: 'api' },
          })
          .execute(),
      );
      commits += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, commit));
  return commits / seconds;
}

async function startDurable(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'connect-bench-'));
  // If root runs this, PostgreSQL runs as a system user, who must be able to enter the folder.
  await chmod(dataDir, 0o711);
  disposables.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { url, stop } = await startEmbedded({ dataDir });
  disposables.defer(stop);
  return url;
}
