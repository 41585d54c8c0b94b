/**
 * `npm run bench:export`: measures the time and memory of a CSV export of 100,000 donations.
 *
 * The benchmark measures the export of the API, which embedded tables download, and compares it with the export of
 * the dashboard and with a plain driver that reads the same rows in the same pages during the same run.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openTestServer, withDatabase } from '../test-support/database/database-server.ts';
import { freePort } from '../test-support/processes/free-port.ts';
import { startServerProcess } from '../test-support/processes/processes.ts';
import { Visitor } from '../test-support/browser/visitor.ts';
import { createApiKey } from '../src/auth/api-key.ts';
import { openDatabase } from '../src/db/database.ts';
import { seedBulkDonations } from '../src/db/seed/bulk.ts';
import { EXPORT_PAGE_SIZE } from '../src/resources/lists/list.ts';
import { progressBar } from '../src/lib/progress-bar.ts';
import { DEMO_PEOPLE } from '../src/users/demo-people.ts';
import { median } from './median.ts';

const { values: given } = parseArgs({
  options: {
    donations: { type: 'string', default: '100000' },
    'database-url': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const DONATIONS = Number(given.donations);
if (given.help || !Number.isInteger(DONATIONS) || DONATIONS < 10_000) {
  process.stdout.write(`npm run bench:export -- [--donations 100000] [--database-url postgres://…]

Prints how long a file of all donations takes, against a plain driver, and how much memory the API takes
meanwhile, against a file of a tenth of them. --donations: 10,000 or more.
`);
  process.exit(given.help ? 0 : 1);
}
const ORGANIZATION = 'org_harbor';
const DASHBOARD_FILE = `/dashboard/${ORGANIZATION}/donations/export.csv`;
const FILE = '/api/v1/donations/export.csv';
const ROUNDS = 3;
const SAMPLE_MS = 20;

await using disposables = new AsyncDisposableStack();
const server = await openTestServer(given['database-url']);
disposables.defer(server.close);
const url = withDatabase(server.url, server.template);
// The dashboard accepts forms only from its own URL, so the port must be known before the start.
const port = await freePort();
const api = await startServerProcess(
  join(import.meta.dirname, '../../cli/src/service/main.ts'),
  {
    ...{ API_PORT: port, DATABASE_URL: url, LOG_LEVEL: 'error' },
    ...{ API_SECRET: 'a secret of thirty-two characters' },
  },
  ['--role', 'api', '--seed'],
);
disposables.defer(async () => void (await api.stop()));
const { db, close } = openDatabase(url, { limitStatements: false });
disposables.defer(close);
const driver = new pg.Client({ connectionString: url });
await driver.connect();
disposables.defer(() => driver.end());

const owner = new Visitor(api.url);
await owner.openAs(DEMO_PEOPLE[0].email, '/dashboard');
const { token } = await createApiKey(db, {
  organizationId: ORGANIZATION,
  name: 'bench',
  scopes: ['donations:read'],
});
const downloadFile = () =>
  download(() => fetch(api.url + FILE, { headers: { authorization: `Bearer ${token}` } }));
const downloadFromDashboard = () => download(() => owner.stream(DASHBOARD_FILE));

const smallCount = Math.round(DONATIONS / 10);
await seedBulkDonations(db, { organizationId: ORGANIZATION, count: smallCount });
await downloadFile(); // Warm-up: compiles the code.
await downloadFromDashboard();
const smallExport = await downloadFile();
const onProgress = progressBar(DONATIONS - smallCount, 'donations');
const rest = { count: DONATIONS - smallCount, after: smallCount, onProgress };
await seedBulkDonations(db, { organizationId: ORGANIZATION, ...rest });

const files: Awaited<ReturnType<typeof download>>[] = [];
const dashboardSeconds: number[] = [];
const plainSeconds: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  plainSeconds.push(await readWithDriver(EXPORT_PAGE_SIZE));
  files.push(await downloadFile());
  dashboardSeconds.push((await downloadFromDashboard()).seconds);
}
const [file] = files as [(typeof files)[number]];
const seconds = median(files.map((each) => each.seconds));
const megabytes = (file.bytes / 1e6).toFixed(1);
const firstByteMs = median(files.map((each) => each.firstByteMs));
printLine(`file of ${file.lines - 1} donations`, `${seconds.toFixed(1)} s, ${megabytes} MB`);
printLine('first byte', `after ${firstByteMs.toFixed(0)} ms`);
printLine('file / file of the dashboard', ratio(seconds, median(dashboardSeconds)));
printLine('file / plain driver', ratio(seconds, median(plainSeconds)));
const growthMb = median(files.map((each) => each.growthMb));
const memoryText = `${growthMb.toFixed(0)} MB; with ${smallExport.lines - 1} donations ${smallExport.growthMb.toFixed(0)} MB`;
printLine('memory above that before the file', `${memoryText}; the file has ${megabytes} MB`);

/** Downloads the export and records the peak memory of the API process. */
async function download(request: () => Promise<Response>) {
  const memoryBefore = await residentMb();
  let peakMb = memoryBefore;
  let isFinished = false;
  const memoryWatcher = (async () => {
    for (; !isFinished; await sleep(SAMPLE_MS)) peakMb = Math.max(peakMb, await residentMb());
  })();
  const started = performance.now();
  const response = await request();
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  let firstByteMs: number | undefined;
  let [bytes, lines] = [0, 0];
  for await (const chunk of response.body!) {
    firstByteMs ??= performance.now() - started;
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  const seconds = (performance.now() - started) / 1000;
  isFinished = true;
  await memoryWatcher;
  return { seconds, bytes, lines, firstByteMs: firstByteMs ?? 0, growthMb: peakMb - memoryBefore };
}

/**
 * Reads the same rows in pages with the plain driver.
 *
 * @returns the duration in seconds
 */
async function readWithDriver(limit: number): Promise<number> {
  const started = performance.now();
  const text = `select donation.*, fund.name as fund_name, campaign.name as campaign_name from donation
    left join fund on fund.id = donation.fund_id
    left join campaign on campaign.id = donation.campaign_id
    where donation.organization_id = $1 and (donation.created_at, donation.id) < ($2, $3)
    order by donation.created_at desc, donation.id desc limit $4`;
  let after: { created_at: Date; id: string } | undefined = {
    created_at: new Date('9999-01-01T00:00:00Z'),
    id: '',
  };
  while (after) {
    const values: unknown[] = [ORGANIZATION, after.created_at, after.id, limit];
    const { rows }: pg.QueryResult<{ created_at: Date; id: string }> = await driver.query(
      text,
      values,
    );
    after = rows.length === limit ? rows.at(-1) : undefined;
  }
  return (performance.now() - started) / 1000;
}

/** Returns the resident memory of the API process in megabytes, from Linux `/proc`. */
async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${api.process.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

function ratio(measured: number, baseline: number): string {
  return `${(measured / baseline).toFixed(2)} (${measured.toFixed(1)} s against ${baseline.toFixed(1)} s)`;
}

function printLine(label: string, figure: string): void {
  process.stdout.write(`${label}: ${figure}\n`);
}
