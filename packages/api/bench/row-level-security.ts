/**
 * `npm run bench:row-level-security`: measures what row-level security in PostgreSQL would add to the
 * list of donations, as a ratio within one run.
 *
 * The policy compares `organization_id` with a setting of the transaction, because behind a pooler a
 * session belongs to nobody: docs/decisions/0096-tenancy.md
 */
import { parseArgs } from 'node:util';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client, type QueryConfig, type QueryResult } from 'pg';
import { openTestServer, withDatabase } from '../test-support/database/database-server.ts';
import { openDatabase } from '../src/db/database.ts';
import { ReadDatabase } from '../src/db/read-database.ts';
import type { Database } from '../src/db/schema.ts';
import { seedIfEmpty } from '../src/db/seed.ts';
import { seedBulkDonations } from '../src/db/seed/bulk.ts';
import { createEncrypter } from '../src/lib/encrypter.ts';
import { DONATION_LIST } from '../src/resources/donations/donations.ts';
import { ListReader } from '../src/resources/lists/list.ts';
import { median } from './median.ts';

const { values: options } = parseArgs({
  options: {
    reads: { type: 'string', default: '2000' },
    'database-url': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const READS = Number(options.reads);
if (options.help || !(READS > 0)) {
  process.stdout
    .write(`npm run bench:row-level-security -- [--reads 2000] [--database-url postgres://…]

Prints the median duration of the first page of donations without row-level security, with a policy, and with a policy whose
setting is set in a transaction for each request.
`);
  process.exit(options.help ? 0 : 1);
}
const DONATIONS = 50_000;
const ORGANIZATION = 'org_harbor';
const ROLE = 'connect_bench';

await using disposables = new AsyncDisposableStack();
const server = await openTestServer(options['database-url']);
disposables.defer(server.close);
const url = withDatabase(server.url, server.template);
const { db, close } = openDatabase(url, { limitStatements: false });
disposables.defer(close);
await seedIfEmpty(db);
await seedBulkDonations(db, { organizationId: ORGANIZATION, count: DONATIONS, after: 0 });
// A policy does not apply to the owner of a table.
await sql.raw(`create role ${ROLE} login password '${ROLE}'`).execute(db);
await sql.raw(`grant select on all tables in schema public to ${ROLE}`).execute(db);
for (const table of ['donation', 'fund', 'campaign']) {
  await sql
    .raw(
      `alter table ${table} enable row level security;
       create policy tenant on ${table} using (organization_id = current_setting('connect.organization_id', true))`,
    )
    .execute(db);
}
await sql`analyze`.execute(db);

const owner = await connect(url);
const restricted = await connect(withUser(url, ROLE));
const perRequest = await connect(withUser(url, ROLE));
await restricted.query(`select set_config('connect.organization_id', '${ORGANIZATION}', false)`);

const readers = {
  'without policy': reader((config) => owner.query(config)),
  'with policy': reader((config) => restricted.query(config)),
  'with policy, set in a transaction': reader(async (config) => {
    await perRequest.query('begin');
    await perRequest.query({
      name: 'scope',
      text: `select set_config('connect.organization_id', $1, true)`,
      values: [ORGANIZATION],
    });
    const result = await perRequest.query(config);
    await perRequest.query('commit');
    return result;
  }),
};
const durationsMs = Object.fromEntries(Object.keys(readers).map((name) => [name, [] as number[]]));
const WARM_UP_READS = 100;
for (let read = -WARM_UP_READS; read < READS; read += 1) {
  for (const [name, readPage] of Object.entries(readers)) {
    const started = performance.now();
    await readPage();
    if (read >= 0) durationsMs[name]!.push(performance.now() - started);
  }
}
const baseline = median(durationsMs['without policy']!);
for (const [name, durations] of Object.entries(durationsMs)) {
  const value = median(durations);
  process.stdout.write(
    `${name.padEnd(36)} ${value.toFixed(3)} ms  ratio ${(value / baseline).toFixed(2)}\n`,
  );
}

/** Returns a function that reads the first page of the list, over one connection. */
function reader(query: (config: QueryConfig) => Promise<QueryResult>) {
  const connection = {
    query: (text: string, values: unknown[]) => query({ text, values }),
    release: () => {},
  };
  const pool = { connect: async () => connection, end: async () => {} } as never;
  const readDatabase = new ReadDatabase({
    primary: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }),
    replica: undefined,
    onRead: () => {},
    onReplicaError: () => {},
  });
  const cursorEncrypter = createEncrypter('a secret of thirty-two characters', 'cursor');
  const list = new ListReader({ readDatabase, cursorEncrypter }, DONATION_LIST);
  return async () => {
    const { data } = await list.readPage(ORGANIZATION, { limit: 25 });
    if (data.length !== 25) throw new Error(`a page has ${data.length} rows`);
  };
}

async function connect(address: string): Promise<Client> {
  const client = new Client({ connectionString: address });
  await client.connect();
  disposables.defer(() => client.end());
  return client;
}

function withUser(address: string, role: string): string {
  const result = new URL(address);
  result.username = role;
  result.password = role;
  return result.href;
}
