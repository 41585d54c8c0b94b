/**
 * `npm run bench:lists`: measures the list of donations and its sums with 1,000,000 rows, as ratios
 * within one run.
 *
 * `-- --donations 100000` creates fewer rows. The benchmark starts an embedded PostgreSQL, or uses the
 * server of `--database-url`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DONATION_SORTS } from '@connect-embed/contract';
import pg from 'pg';
import { Agent, request } from 'undici';
import { openTestServer, withDatabase } from '../test-support/database-server.ts';
import { startServerProcess } from '../test-support/processes.ts';
import { BARE_PAGE } from './bare-page.ts';
import { createApiKey } from '../src/auth/api-key.ts';
import { openDatabase } from '../src/db/database.ts';
import type { Db } from '../src/db/schema.ts';
import { encodeCursor } from '../src/resources/lists/cursor.ts';
import { seedIfEmpty } from '../src/db/seed.ts';
import { seedBulkDonations } from '../src/db/seed/bulk.ts';
import { progressBar } from '../src/lib/progress-bar.ts';
import { createEncrypter } from '../src/lib/encrypter.ts';
import { median } from './median.ts';

const { values: options } = parseArgs({
  options: {
    donations: { type: 'string', default: '1000000' },
    'database-url': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const DONATIONS = Number(options.donations);
/** Number of donations of the first measurement, with which the second measurement is compared. */
const SMALL_COUNT = Math.round(DONATIONS / 10);
if (options.help || !Number.isInteger(DONATIONS) || DONATIONS < 1_000) {
  process.stdout.write(`npm run bench:lists -- [--donations 1000000] [--database-url postgres://…]

Prints what a page, a sum and a chart cost, for each search, order and filter, against the same with a tenth of the donations, and
how many pages a second the whole route serves against a bare one. --donations: how many there are, 1,000 or more.
`);
  process.exit(options.help ? 0 : 1);
}
const CONCURRENCY = 16;
const ROUNDS = 7;
/**
 * Warm-up rounds, which are not measured. The API route has more code to compile than the baseline.
 */
const WARM_UP_ROUNDS = 3;
const ROUND_MS = 2_000;
const READS = 40;
const LAST_PAGE = 'last page';
const YEAR_MS = 365 * 86_400_000;
/**
 * Number of API keys. They are used in rotation, so that no key exceeds 120 requests per minute or has
 * two simultaneous requests.
 */
const KEYS = 2_000;
const API_SECRET = 'a secret of thirty-two characters';
const ORGANIZATION = 'org_harbor';
let used = 0;

await using disposables = new AsyncDisposableStack();
const server = await openTestServer(options['database-url']);
disposables.defer(server.close);
const url = withDatabase(server.url, server.template);
const { db, close } = openDatabase(url, { limitStatements: false });
disposables.defer(close);
const agent = new Agent({ connections: CONCURRENCY });
disposables.defer(() => agent.destroy());

await seedIfEmpty(db);
await seed(SMALL_COUNT, 0);

const tokens = await createTokens(db);
const [baselineServer, api] = await Promise.all([
  startServerProcess(join(import.meta.dirname, 'bare-route.ts'), {}, [url]),
  startServerProcess(
    join(import.meta.dirname, '../src/main.ts'),
    { API_PORT: '0', DATABASE_URL: url, API_SECRET, LOG_LEVEL: 'warn' },
    ['--role', 'api'],
  ),
]);
disposables.defer(async () => void (await Promise.all([baselineServer.stop(), api.stop()])));

const pages = await measuredQueries();
const sums = await measuredSums();
const smallMedians = await measureQueries();
await seed(DONATIONS - SMALL_COUNT, SMALL_COUNT);
compareSizes(smallMedians, await measureQueries());
await compareThroughput();

async function seed(count: number, after: number): Promise<void> {
  const started = performance.now();
  const onProgress = progressBar(count, 'donations');
  await seedBulkDonations(db, { organizationId: ORGANIZATION, count, after, onProgress });
  const seconds = (performance.now() - started) / 1000;
  const budget = (180 * count) / 1_000_000;
  printFigure(`seeding ${count}`, `${seconds.toFixed(1)} s`, `under ${budget} s`);
}

/** Returns the queries to measure: pages, searches, filters and sort orders. */
async function measuredQueries(): Promise<Record<string, Record<string, string>>> {
  const row = await db
    .selectFrom('donation')
    .select(['reference', 'donor_email', 'donor_name'])
    .where('organization_id', '=', ORGANIZATION)
    .where('donor_name', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const [first = ''] = (row.donor_name ?? '').split(' ');
  return {
    'first page': {},
    'created_to: two years ago': { created_to: new Date(Date.now() - 2 * YEAR_MS).toISOString() },
    'q: a reference': { q: row.reference },
    'q: an email address': { q: row.donor_email ?? '' },
    'q: a full name': { q: row.donor_name ?? '' },
    'q: a frequent first name': { q: first },
    'q: one letter': { q: first.slice(0, 1) },
    'q: two letters of each name': { q: `${first.slice(0, 2)} ma` },
    'q: no match': { q: 'zzzzzz' },
    ...Object.fromEntries(DONATION_SORTS.map((sort) => [`sort: ${sort}`, { sort }])),
    'sort: donor_name, q: a first name': { sort: 'donor_name', q: first },
    'amounts from 99,000': { amount_from_cents: '99000' },
    'amounts from 5,000 to 6,000': { amount_from_cents: '5000', amount_to_cents: '6000' },
    'amounts without donations': { amount_from_cents: '60000', amount_to_cents: '70000' },
    'payment_method: card': { payment_method: 'card' },
    'payment_method: us_bank_account': { payment_method: 'us_bank_account' },
    'card_brand: amex': { card_brand: 'amex' },
    'card_brand: amex, sort: -amount_cents': { card_brand: 'amex', sort: '-amount_cents' },
  };
}

/** Returns the paths of sums, by name. They read totals: docs/decisions/0109-donation-totals.md */
async function measuredSums(): Promise<Record<string, string>> {
  const { id: campaignId } = await db
    .selectFrom('campaign')
    .select('id')
    .where('organization_id', '=', ORGANIZATION)
    .executeTakeFirstOrThrow();
  const monthsInNewYork = 'interval=month&time_zone=America/New_York';
  const lastYear = new URLSearchParams({
    created_from: new Date(Date.now() - 2 * YEAR_MS).toISOString(),
    created_to: new Date(Date.now() - YEAR_MS).toISOString(),
  });
  return {
    'sum of all donations': '/donations/summary',
    'sum of a year': `/donations/summary?${lastYear}`,
    'chart of five years by month': `/donations/series?${monthsInNewYork}`,
    'chart of a year by day': `/donations/series?interval=day&${lastYear}`,
    'progress of a campaign': `/campaigns/${campaignId}/progress`,
  };
}

/**
 * Measures the median duration of each query in milliseconds. The queries alternate, so that changes in
 * machine load affect all queries.
 */
async function measureQueries(): Promise<Map<string, number>> {
  const queries = { ...pages, [LAST_PAGE]: { cursor: await lastPageCursor() } };
  const listPath = (query: object) =>
    `/donations?${new URLSearchParams({ limit: '25', ...query })}`;
  const paths = {
    ...Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, listPath(query)])),
    ...sums,
  };
  const durations = new Map(Object.keys(paths).map((name) => [name, [] as number[]]));
  for (let round = -WARM_UP_ROUNDS; round < READS; round += 1) {
    for (const [name, path] of Object.entries(paths)) {
      const started = performance.now();
      await get(`${api.url}/api/v1${path}`, nextToken());
      if (round >= 0) durations.get(name)!.push(performance.now() - started);
    }
  }
  return new Map([...durations].map(([name, each]) => [name, median(each)]));
}

function compareSizes(smallMedians: Map<string, number>, fullMedians: Map<string, number>): void {
  for (const [name, ms] of fullMedians) {
    const smallMs = smallMedians.get(name)!;
    const figures = `${ms.toFixed(2)} ms at ${DONATIONS}, ${smallMs.toFixed(2)} ms at ${SMALL_COUNT}`;
    const budget = name in sums ? 'at most 1.3' : 'at most 1.5, or 50 ms';
    printFigure(name, `${(ms / smallMs).toFixed(2)} (${figures})`, budget);
  }
  const ratio = fullMedians.get(LAST_PAGE)! / fullMedians.get('first page')!;
  printFigure('last page / first page', ratio.toFixed(2), 'at most 1.2');
}

/**
 * Compares the throughput of the API route, including credential check and rate limit, with the
 * baseline routes, and with the driver in this process, without requests. Rounds alternate.
 */
async function compareThroughput(): Promise<void> {
  const rates = {
    driver: [] as number[],
    plain: [] as number[],
    whole: [] as number[],
    prepared: [] as number[],
  };
  const pool = new pg.Pool({ connectionString: url, max: CONCURRENCY });
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const driver = await timesPerSecond(() => pool.query(BARE_PAGE));
    const plain = await timesPerSecond(() => get(`${baselineServer.url}/donations`));
    const whole = await timesPerSecond(() =>
      get(`${api.url}/api/v1/donations?limit=25`, nextToken()),
    );
    const prepared = await timesPerSecond(() => get(`${baselineServer.url}/donations/prepared`));
    if (round < 0) continue;
    rates.driver.push(driver);
    rates.plain.push(plain);
    rates.whole.push(whole);
    rates.prepared.push(prepared);
  }
  await pool.end();
  printRatio('whole route / raw driver', rates.whole, rates.driver, 'at least 0.7');
  printRatio('whole route / bare route', rates.whole, rates.plain, 'at least 0.8');
  const label = 'whole route / bare route with our prepared statement';
  printRatio(label, rates.whole, rates.prepared, 'none');
}

/**
 * Prints the median of the ratios per round, because both sides of a round ran under the same
 * machine load.
 */
function printRatio(label: string, measured: number[], baseline: number[], budget: string): void {
  const ratio = median(measured.map((rate, round) => rate / baseline[round]!));
  const [first, second] = [measured, baseline].map((rates) => Math.round(median(rates)));
  printFigure(label, `${ratio.toFixed(2)} (${first} against ${second} a second)`, budget);
}

async function timesPerSecond(work: () => Promise<unknown>): Promise<number> {
  const deadlineMs = performance.now() + ROUND_MS;
  let done = 0;
  const loop = async () => {
    for (; performance.now() < deadlineMs; done += 1) await work();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, loop));
  return done / (ROUND_MS / 1000);
}

async function get(address: string, token?: string): Promise<void> {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const { statusCode, body } = await request(address, { headers, dispatcher: agent });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
}

/**
 * Creates the cursor of the last page directly, because paging to it would exceed the rate limit.
 */
async function lastPageCursor(): Promise<string> {
  const row = await db
    .selectFrom('donation')
    .select(['id', 'created_at'])
    .where('organization_id', '=', ORGANIZATION)
    .orderBy('created_at')
    .orderBy('id')
    .offset(25)
    .limit(1)
    .executeTakeFirstOrThrow();
  const page = { table: 'donation', organizationId: ORGANIZATION, query: { limit: 25 } } as const;
  const position = { key: row.created_at.getTime(), id: row.id };
  return await encodeCursor(createEncrypter(API_SECRET, 'cursor'), page, position);
}

async function createTokens(database: Db): Promise<string[]> {
  const key = {
    organizationId: ORGANIZATION,
    name: 'bench',
    scopes: ['donations:read', 'reference:read'],
  } as const;
  const tokens: string[] = [];
  // Keys are created in small batches: on a busy machine a thousand simultaneous queries would time out
  // waiting for a connection.
  while (tokens.length < KEYS) {
    const keys = Array.from({ length: CONCURRENCY }, () => createApiKey(database, key));
    tokens.push(...(await Promise.all(keys)).map(({ token }) => token));
  }
  return tokens;
}

function nextToken(): string {
  return tokens[used++ % KEYS]!;
}

function printFigure(label: string, figure: string, budget: string): void {
  process.stdout.write(`${label}: ${figure}; budget: ${budget}\n`);
}
