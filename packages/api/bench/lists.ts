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
import { sql } from 'kysely';
import pg from 'pg';
import { openTestServer } from '../test-support/database/database-server.ts';
import { startServerProcess } from '../test-support/processes/processes.ts';
import { DONATION_LIST } from '../src/resources/donations/donations.ts';
import { encodeCursor } from '../src/resources/lists/cursor.ts';
import { selectPage } from '../src/resources/lists/list.ts';
import { createEncrypter } from '../src/lib/encrypter.ts';
import { BARE_PAGE } from './bare-page.ts';
import { median } from '../test-support/median.ts';
import {
  API_SECRET,
  CONCURRENCY,
  get,
  ORGANIZATION,
  type SeededApi,
  startSeededApi,
} from './seeded-api.ts';

const { values: options } = parseArgs({
  options: {
    donations: { type: 'string', default: '1000000' },
    'database-url': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const DONATIONS = Number(options.donations);
/** Number of donations of the database with which the other one is compared. */
const SMALL_COUNT = Math.round(DONATIONS / 10);
if (options.help || !Number.isInteger(DONATIONS) || DONATIONS < 1_000) {
  process.stdout.write(`npm run bench:lists -- [--donations 1000000] [--database-url postgres://…]

Prints what a page, a sum and a chart cost, for each search, order and filter, against the same with a tenth of the donations, and
how many pages a second the whole route serves against a bare one. --donations: how many there are, 1,000 or more.
`);
  process.exit(options.help ? 0 : 1);
}
const ROUNDS = 7;
/**
 * Warm-up rounds, which are not measured. The API route has more code to compile than the baseline.
 */
const WARM_UP_ROUNDS = 3;
const ROUND_MS = 2_000;
const READS = 40;
const LAST_PAGE = 'last page';
const YEAR_MS = 365 * 86_400_000;
const twoYearsAgo = new Date(Date.now() - 2 * YEAR_MS).toISOString();

await using disposables = new AsyncDisposableStack();
const server = await openTestServer(options['database-url']);
disposables.defer(server.close);
const small = disposables.use(await startSeededApi(server, SMALL_COUNT));
const full = disposables.use(await startSeededApi(server, DONATIONS));
printSeeding(small, SMALL_COUNT);
printSeeding(full, DONATIONS);
await compareSizes();
await measureStatement();
await compareThroughput();

function printSeeding({ seededInSeconds }: SeededApi, count: number): void {
  const budget = `under ${(180 * count) / 1_000_000} s`;
  const isOver = seededInSeconds > (180 * count) / 1_000_000;
  printFigure(`seeding ${count}`, `${seededInSeconds.toFixed(1)} s`, budget, isOver);
}

/** Returns the queries to measure: pages, searches, filters and sort orders. */
async function measuredQueries({ db }: SeededApi): Promise<Record<string, Record<string, string>>> {
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
    'created_to: two years ago': { created_to: twoYearsAgo },
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
async function measuredSums({ db }: SeededApi): Promise<Record<string, string>> {
  const { id: campaignId } = await db
    .selectFrom('campaign')
    .select('id')
    .where('organization_id', '=', ORGANIZATION)
    .executeTakeFirstOrThrow();
  const monthsInNewYork = 'interval=month&time_zone=America/New_York';
  const lastYear = new URLSearchParams({
    created_from: twoYearsAgo,
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

/** Returns the measured paths, by name. They contain ids of the database. */
async function measuredPaths(api: SeededApi): Promise<Record<string, string>> {
  const queries = {
    ...(await measuredQueries(api)),
    [LAST_PAGE]: { cursor: await lastPageCursor(api) },
  };
  const lists = Object.entries(queries).map(([name, query]) => {
    return [name, `/donations?${new URLSearchParams({ limit: '25', ...query })}`] as const;
  });
  return { ...Object.fromEntries(lists), ...(await measuredSums(api)) };
}

/**
 * Measures each query in both databases. They alternate, so that changes in the load of the machine affect both, and
 * the ratio is that of the two durations that were measured one after the other.
 */
async function compareSizes(): Promise<void> {
  const [smallPaths, fullPaths] = [await measuredPaths(small), await measuredPaths(full)];
  const measured = Object.keys(fullPaths).map((name) => {
    return { name, smallMs: [] as number[], fullMs: [] as number[] };
  });
  for (let round = -WARM_UP_ROUNDS; round < READS; round += 1) {
    for (const { name, smallMs, fullMs } of measured) {
      const [ofSmall, ofFull] = [
        await durationMs(small, smallPaths[name]!),
        await durationMs(full, fullPaths[name]!),
      ];
      if (round < 0) continue;
      smallMs.push(ofSmall);
      fullMs.push(ofFull);
    }
  }
  for (const { name, smallMs, fullMs } of measured) {
    const ratio = median(fullMs.map((ms, index) => ms / smallMs[index]!));
    const [ofFull, ofSmall] = [median(fullMs), median(smallMs)];
    const figures = `${ratio.toFixed(2)} (${ofFull.toFixed(2)} ms at ${DONATIONS}, ${ofSmall.toFixed(2)} ms at ${SMALL_COUNT})`;
    const isPage = fullPaths[name]!.startsWith('/donations?');
    if (isPage) printFigure(name, figures, 'at most 1.5, or 50 ms', ratio > 1.5 && ofFull > 50);
    else printFigure(name, figures, 'at most 1.3', ratio > 1.3);
  }
  const [firstPage, lastPage] = ['first page', LAST_PAGE].map((name) =>
    median(measured.find((each) => each.name === name)!.fullMs),
  );
  const ratio = lastPage! / firstPage!;
  printFigure('last page / first page', ratio.toFixed(2), 'at most 1.2', ratio > 1.2);
}

interface PlanRow {
  'QUERY PLAN': [Record<'Planning Time' | 'Execution Time', number>];
}

/** Prints what the statement of a page before a date takes in PostgreSQL, without the request and the driver. */
async function measureStatement(): Promise<void> {
  const query = { created_to: twoYearsAgo };
  const range = { after: undefined, count: 26 };
  const page = selectPage(full.db, DONATION_LIST, ORGANIZATION, query, range);
  const durations = { planning: [] as number[], execution: [] as number[] };
  for (let round = 0; round < READS; round += 1) {
    const [row] = await page.explain<PlanRow>('json', sql`analyze`);
    const [plan] = row!['QUERY PLAN'];
    durations.planning.push(plan['Planning Time']);
    durations.execution.push(plan['Execution Time']);
  }
  const [planning, execution] = [median(durations.planning), median(durations.execution)];
  const figures = `${execution.toFixed(2)} ms, and ${planning.toFixed(2)} ms to plan it`;
  const label = 'statement of created_to: two years ago';
  printFigure(label, figures, 'under 1 ms together', planning + execution >= 1);
}

async function durationMs(api: SeededApi, path: string): Promise<number> {
  const startedMs = performance.now();
  await api.get(path);
  return performance.now() - startedMs;
}

/**
 * Compares the throughput of the API route, including credential check and rate limit, with the
 * baseline routes, and with the driver in this process, without requests. Rounds alternate.
 */
async function compareThroughput(): Promise<void> {
  const rates = {
    driver: [] as number[],
    preparedDriver: [] as number[],
    plain: [] as number[],
    whole: [] as number[],
    prepared: [] as number[],
  };
  const { databaseUrl } = full;
  const bareRoute = join(import.meta.dirname, 'bare-route.ts');
  const bareServer = await startServerProcess(bareRoute, {}, [databaseUrl]);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONCURRENCY });
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const driver = await timesPerSecond(() => pool.query(BARE_PAGE));
    const preparedDriver = await timesPerSecond(() => pool.query({ ...BARE_PAGE, name: 'page' }));
    const plain = await timesPerSecond(() => get(`${bareServer.url}/donations`));
    const whole = await timesPerSecond(() => full.get('/donations?limit=25'));
    const prepared = await timesPerSecond(() => get(`${bareServer.url}/donations/prepared`));
    if (round < 0) continue;
    rates.driver.push(driver);
    rates.preparedDriver.push(preparedDriver);
    rates.plain.push(plain);
    rates.whole.push(whole);
    rates.prepared.push(prepared);
  }
  await pool.end();
  await bareServer.stop();
  printRatio('raw driver', rates.whole, rates.driver, 0.45);
  printRatio('raw driver with a prepared statement', rates.whole, rates.preparedDriver);
  printRatio('bare route', rates.whole, rates.plain);
  printRatio('bare route with our prepared statement', rates.whole, rates.prepared);
}

/**
 * Prints the median of the ratios per round, because both sides of a round ran under the same
 * machine load.
 */
function printRatio(name: string, measured: number[], baseline: number[], goal?: number): void {
  const ratio = median(measured.map((rate, round) => rate / baseline[round]!));
  const [first, second] = [measured, baseline].map((rates) => Math.round(median(rates)));
  const figures = `${ratio.toFixed(2)} (${first} against ${second} a second)`;
  const isOver = goal !== undefined && ratio < goal;
  printFigure(`whole route / ${name}`, figures, goal ? `at least ${goal}` : 'none', isOver);
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

/**
 * Creates the cursor of the last page directly, because paging to it would exceed the rate limit.
 */
async function lastPageCursor({ db }: SeededApi): Promise<string> {
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

function printFigure(label: string, figure: string, budget: string, isOver: boolean): void {
  process.stdout.write(`${label}: ${figure}; budget: ${budget}${isOver ? ' OVER' : ''}\n`);
}
