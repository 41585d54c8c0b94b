/**
 * `npm run bench:deliveries`: measures how many webhook deliveries a second one worker sends and stores,
 * for many endpoints and for one, beside the same updates and inserts by the bare driver. It also
 * measures how long a claim takes while a long transaction keeps the dead rows of the queue.
 *
 * The benchmark starts an embedded PostgreSQL, or uses the server of `--database-url`.
 * docs/decisions/0112-webhook-queue.md
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { openTestServer, withDatabase } from '../test-support/database/database-server.ts';
import { startServerProcess } from '../test-support/processes/processes.ts';
import { openDatabase } from '../src/db/database.ts';
import { LaneClaims } from '../src/webhooks/claim.ts';
import { newSecret, secretOf } from '../src/webhooks/secrets.ts';
import { startDeliveryWorker } from '../src/webhooks/delivery-worker.ts';
import { createWebhooks } from '../src/webhooks/webhooks.ts';

const { values: options } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '20000' },
    'dead-rows': { type: 'string', default: '100000' },
    'database-url': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const DELIVERIES = Number(options.deliveries);
const DEAD_ROWS = Number(options['dead-rows']);
if (options.help || !(DELIVERIES > 0) || !(DEAD_ROWS > 0)) {
  process.stdout
    .write(`npm run bench:deliveries -- [--deliveries 20000] [--dead-rows 100000] [--database-url postgres://…]

Prints how many webhook deliveries a second one process sends and stores, for 100 endpoints and for one, against the bare driver,
and how long claiming one takes with dead rows that a long transaction keeps, against the same without. The goals are for a
machine with 2 cores on which nothing else runs.
`);
  process.exit(options.help ? 0 : 1);
}
const ENDPOINTS = 100;
const ORGANIZATION = 'org_bench';
/** Connections of the baseline: those of the pool of one process. */
const CONNECTIONS = 16;
const CLAIMS = 41;
/** How much longer a claim may take with dead rows. */
const MAX_CLAIM_RATIO = 2;
/** Longer than the interval in which a lane looks for further endpoints. */
const PAUSE_MS = 110;

await using disposables = new AsyncDisposableStack();
const server = await openTestServer(options['database-url']);
disposables.defer(server.close);
const url = withDatabase(server.url, server.template);
const { db, pool, close } = openDatabase(url, { limitStatements: false });
disposables.defer(close);
const receiver = await startServerProcess(join(import.meta.dirname, 'delivery-receiver.ts'), {});
disposables.defer(async () => void (await receiver.stop()));
const webhooks = createWebhooks({
  ...{ secret: 'a secret of thirty-two characters', baseUrl: 'https://api.example.org' },
  ...{ livemode: false, allowHosts: [new URL(receiver.url).host] },
});
await sql`insert into organization (id, name, slug, currency)
  values (${ORGANIZATION}, 'Bench', 'bench', 'usd')`.execute(db);
await sql`insert into webhook_endpoint (id, organization_id, url, events, encrypted_secret, slow)
  select 'we_' || number, ${ORGANIZATION}, ${receiver.url}, '{donation.created}',
    ${await webhooks.secretEncrypter.encrypt(newSecret(), secretOf(ORGANIZATION))}, false
  from generate_series(1, ${ENDPOINTS}::int) as number`.execute(db);

await measureDeliveries(ENDPOINTS, DELIVERIES / 4); // Warm-up: compiles the code and opens all connections.
await measureDriver(DELIVERIES / 4);
const driver = await measureDriver(DELIVERIES);
printRow('', 'measured', 'ratio', 'goal');
printRate('bare driver, updates and inserts only', driver);
printRate(
  `sent and stored, ${ENDPOINTS} endpoints`,
  await measureDeliveries(ENDPOINTS, DELIVERIES),
  3000,
);
printRate('sent and stored, one endpoint', await measureDeliveries(1, DELIVERIES), 1000);
await measureClaims();

function printRow(name: string, measured: string, ratio: string, goal: string) {
  process.stdout.write(
    `${name.padEnd(42)} ${measured.padStart(10)} ${ratio.padStart(7)}  ${goal}`.trimEnd() + '\n',
  );
}

/** Prints a rate, its ratio to the rate of the bare driver, and the least that it should be. */
function printRate(name: string, rate: number, minRate?: number) {
  const goal =
    minRate === undefined ? '' : `≥ ${minRate}/s${rate < minRate ? ' UNDER BUDGET' : ''}`;
  printRow(name, `${rate.toFixed(0)}/s`, (rate / driver).toFixed(2), goal);
}

/** Empties the queue and adds deliveries that are due, in turn for each of the first endpoints. */
async function addDeliveries(count: number, endpoints: number): Promise<void> {
  await sql`truncate webhook_attempt, webhook_delivery, webhook_event`.execute(db);
  const body = JSON.stringify({ id: 'evt_bench', object: 'event', text: 'x'.repeat(250) });
  await sql`insert into webhook_event (id, organization_id, type, body)
    select 'evt_' || number, ${ORGANIZATION}, 'donation.created', ${body}
    from generate_series(1, ${count}::int) as number`.execute(db);
  await sql`insert into webhook_delivery (id, organization_id, endpoint_id, event_id, event_type)
    select 'whd_' || number, ${ORGANIZATION}, 'we_' || (1 + number % ${endpoints}::int), 'evt_' || number,
      'donation.created'
    from generate_series(1, ${count}::int) as number`.execute(db);
  await sql`vacuum analyze webhook_delivery`.execute(db);
}

/** @returns deliveries a second that one worker sends and stores */
async function measureDeliveries(endpoints: number, count: number): Promise<number> {
  await addDeliveries(count, endpoints);
  const started = performance.now();
  const seconds = await new Promise<number>((resolve) => {
    let stored = 0;
    const info = () => {
      stored += 1;
      if (stored === count) void finish();
    };
    const finish = async () => {
      const elapsedMs = performance.now() - started;
      await worker.stop();
      resolve(elapsedMs / 1000);
    };
    const log = {
      info,
      warn: (fields: object) => process.stderr.write(`${JSON.stringify(fields)}\n`),
    };
    const worker = startDeliveryWorker({ db, webhooks, log, allowHosts: [] });
  });
  return count / seconds;
}

/** @returns deliveries a second that the bare driver claims and stores, each with statements of its own */
async function measureDriver(count: number): Promise<number> {
  await addDeliveries(count, ENDPOINTS);
  let next = 0;
  const storeInTurn = async () => {
    while (next < count) {
      const id = `whd_${(next += 1)}`;
      const claiming = `update webhook_delivery set attempts = 1, leased_until = now() + interval '30 s' where id = $1`;
      await pool.query({ name: 'claim', text: claiming, values: [id] });
      const storing = `update webhook_delivery set status = 'delivered', delivered_at = now(), next_attempt_at = null,
        leased_until = null, last_response_status = 204 where id = $1`;
      await pool.query({ name: 'store', text: storing, values: [id] });
      const adding = `insert into webhook_attempt (delivery_id, number, started_at, duration_ms, response_status)
        values ($1, 1, now(), 5, 204)`;
      await pool.query({ name: 'add', text: adding, values: [id] });
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, storeInTurn));
  return count / ((performance.now() - started) / 1000);
}

/** Prints how long claiming one delivery takes, without dead rows and with those that a long transaction keeps. */
async function measureClaims(): Promise<void> {
  await addDeliveries(1, 1);
  const without = await medianClaimMs();
  await addDeliveries(DEAD_ROWS / 2, ENDPOINTS);
  const longTransaction = new pg.Client({ connectionString: url });
  await longTransaction.connect();
  await longTransaction.query('begin isolation level repeatable read; select 1');
  // What a claim and its outcome write, so each delivery leaves two dead rows.
  await sql`update webhook_delivery set attempts = 1, leased_until = now() + interval '30 s'`.execute(
    db,
  );
  await sql`update webhook_delivery set status = 'delivered', delivered_at = now(), next_attempt_at = null,
    leased_until = null`.execute(db);
  await sql`insert into webhook_delivery (id, organization_id, endpoint_id, event_id, event_type)
    values ('whd_last', ${ORGANIZATION}, 'we_${sql.raw(String(ENDPOINTS))}', 'evt_1', 'donation.created')`.execute(
    db,
  );
  const withDead = await medianClaimMs();
  await longTransaction.end();
  const printClaim = (name: string, kind: 'claim' | 'fullScan', goal: string) => {
    printRow(`${name}, without dead rows`, `${without[kind].toFixed(2)} ms`, '1.00', '');
    const ratio = (withDead[kind] / without[kind]).toFixed(2);
    printRow(`${name}, ${DEAD_ROWS} dead rows`, `${withDead[kind].toFixed(2)} ms`, ratio, goal);
  };
  const isOver = withDead.claim / without.claim > MAX_CLAIM_RATIO;
  printClaim('claim', 'claim', `≤ ${MAX_CLAIM_RATIO}${isOver ? ' OVER BUDGET' : ''}`);
  printClaim('claim with the full scan', 'fullScan', '(once a minute)');
}

/** Claims the pending delivery and releases it, several times: with the full scan, and without. */
async function medianClaimMs() {
  const fullScanMs: number[] = [];
  const claimMs: number[] = [];
  for (let run = 0; run < CLAIMS; run += 1) {
    const lane = new LaneClaims(db, {
      ...{ slow: false, perEndpoint: 8, perQuickEndpoint: 64 },
      ...{ leaseMs: 30_000, now: () => new Date() },
    });
    // The first claim of a lane is a full scan. The next looks for further endpoints, after a pause.
    for (const durationsMs of [fullScanMs, claimMs]) {
      if (durationsMs === claimMs) await sleep(PAUSE_MS);
      const started = performance.now();
      const claims = await lane.claim({ slots: 128, extraSlots: 0 });
      durationsMs.push(performance.now() - started);
      if (claims.length !== 1) throw new Error(`${claims.length} deliveries were claimed`);
      await sql`update webhook_delivery set leased_until = null where id = ${claims[0]!.id}`.execute(
        db,
      );
    }
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(CLAIMS / 2)]!;
  return { claim: median(claimMs), fullScan: median(fullScanMs) };
}
