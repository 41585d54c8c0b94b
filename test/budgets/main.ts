/**
 * `npm run budgets` measures what the form and a table cost a page, and compares each figure with its budget.
 *
 * Uses the whole system, a page of another site, and a real browser; the size is from `npm run
 * size`.
 */
import { spawnSync } from 'node:child_process';
import { chromium, type Page } from 'playwright';
import { serveHostPages } from '../e2e/support/host-pages.ts';
import { totalShift, recordShifts } from '../e2e/support/layout-shifts.ts';
import { measureLeak } from '../leak/mount-and-remove.ts';
import { freePorts } from '../support/free-ports.ts';
import { BUDGETS } from '../size/budgets.ts';
import { exitOnHelpOption } from '../support/help-option.ts';
import { startSystem, type TestSystem } from '../support/system.ts';
import { launchOptions } from '../support/launch-options.ts';
import { measurePageLoad } from './page-load.ts';
import { measureTableLoad } from './table-load.ts';
import { longestTasks, type LongestTasks } from './long-tasks.ts';

/** Number of page loads; the median is compared, because other programs disturb some of them. */
const LOADS = 7;
const MOUNTS = 100;
/**
 * Round trips before the first request to a server whose address the browser does not know: DNS, TCP and
 * TLS 1.3. The following requests use the same connection of HTTP/2.
 */
const CONNECTION_ROUND_TRIPS = 3;
const MAX_FOREIGN_ROUND_TRIPS = 5.9;
/** A longer task delays what a visitor does: docs/decisions/0067-layout-shift-and-long-tasks.md */
const MAX_TASK_MS = 50;
/** How long each response takes in the measurement of shifts, so that the page is painted before it. */
const RESPONSE_DELAY_MS = 200;
const WINDOWS = [
  { width: 1280, height: 900 },
  { width: 1280, height: 1400 },
  { width: 1920, height: 1080 },
  { width: 390, height: 844 },
  { width: 320, height: 700 },
];

exitOnHelpOption(
  'Measures what a donation form and a table cost a page, and compares each figure with its budget.',
);

const sizeOutput = spawnSync(process.execPath, ['test/size/size.ts'], { encoding: 'utf8' });
const [, bytes = 'unknown'] =
  /^script to a drawn donation form +([\d,]+)/m.exec(sizeOutput.stdout) ?? [];
const [{ maxBytes }] = BUDGETS;
reportFigure('script to a drawn form, bytes of brotli', Number(bytes.replace(',', '')), maxBytes);

const [port] = await freePorts(1);
const site = `http://localhost:${port}`;
const system = await startSystem({ ALLOWED_ORIGINS: site });
const pages = await serveHostPages(port!, system);
const browser = await chromium.launch(launchOptions());
try {
  await withPage((page) => reportPageLoad(page, system));
  await withPage((page) => reportTableLoad(page, system));
  await withPage((page) => reportShiftOfSnippet(page, system));
  await withPage(reportLayoutShifts);
  await reportLongTasks('longest task with our script', '/hosts/the-script-in-the-head');
  await reportLongTasks('the same, in German', '/german');
  await withPage(reportLeaks);
} finally {
  await browser.close();
  await pages.close();
  await system.close();
}

async function reportPageLoad(page: Page, { server }: TestSystem) {
  const {
    requests,
    bytes,
    roundTrips,
    roundTripsAfterScript,
    foreign,
    storedItems: stored,
  } = await measurePageLoad(page, `${site}/plain`, server);
  reportFigure('requests before the form is drawn', requests, 4);
  reportFigure('bytes that a form which nobody uses loads', bytes, 25_500, 'with headers');
  reportFigure('round trips from the script to the drawn form', roundTripsAfterScript, 1);
  reportFigure(
    'round trips on a page of another site',
    CONNECTION_ROUND_TRIPS + roundTrips,
    MAX_FOREIGN_ROUND_TRIPS,
    `${CONNECTION_ROUND_TRIPS} for DNS, TCP and TLS 1.3, ${roundTrips} for requests that wait for each other`,
  );
  reportFigure(
    'requests to third parties before interaction',
    foreign.length,
    0,
    foreign.join(' '),
  );
  reportFigure('cookies and stored items before interaction', stored.length, 0, stored.join(' '));
}

async function reportTableLoad(page: Page, testSystem: TestSystem) {
  const { script, rows, session } = await measureTableLoad(page, site, testSystem);
  reportFigure(
    'table: script and first page, bytes of brotli',
    script + rows,
    21_500,
    `script ${script}, 25 donations ${rows}; without headers and the session, ${session}`,
  );
}

/** Reports the shift of pages in which nothing but the snippet of README.md reserves the height. */
async function reportShiftOfSnippet(page: Page, { server }: TestSystem) {
  await page.route(`${server}/**`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, RESPONSE_DELAY_MS));
    await route.continue();
  });
  await recordShifts(page);
  const worstShift = async (path: string) => {
    const shifts: number[] = [];
    for (const window of WINDOWS) {
      await page.setViewportSize(window);
      await page.goto(site + path);
      await page
        .locator('connect-donate')
        .getByRole('button', { name: /^Give\b[^?]*$/ })
        .waitFor();
      await page.waitForLoadState('networkidle');
      shifts.push(await totalShift(page));
    }
    return Math.max(...shifts);
  };
  const detail = async (path: string) =>
    `worst of ${WINDOWS.length} window sizes; ${(await worstShift(path)).toFixed(2)} without its style`;
  const plain = await worstShift('/readme');
  reportFigure('layout shift, snippet of README.md', plain, 0, await detail('/readme-bare'));
  const themed = await worstShift('/wordpress');
  reportFigure('the same, in a WordPress page', themed, 0, await detail('/wordpress-bare'));
}

async function reportLayoutShifts(page: Page) {
  await recordShifts(page);
  for (const display of ['inline', 'button', 'sticky', 'modal']) {
    await page.goto(`${site}/apart-${display}`);
    await page.evaluate(() => customElements.whenDefined('connect-donate'));
    await page.waitForLoadState('networkidle');
    if (display !== 'inline') await page.evaluate(openForm);
    await page.waitForLoadState('networkidle');
    reportFigure(
      `layout shift, display="${display}", loaded and opened`,
      await totalShift(page),
      0,
    );
  }
}

/** Runs in the page. */
function openForm() {
  return document.querySelector<HTMLElement & { open(): Promise<void> }>('connect-donate')!.open();
}

async function reportLongTasks(label: string, path: string) {
  const loads: LongestTasks[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    await withPage(async (page) =>
      loads.push(await longestTasks(page, () => waitUntilDrawn(page, path))),
    );
  }
  const ours = sortedRounded(loads.map((item) => item.ours));
  const others = sortedRounded(loads.map((item) => item.browser));
  const detail = `median of ${ours.join(', ')}; the browser's own ${medianOf(others)}, worst ${others.at(-1)}`;
  reportFigure(`${label} at 4 ×, ms`, medianOf(ours), MAX_TASK_MS, detail);
}

function sortedRounded(figures: number[]) {
  return figures.map(Math.round).toSorted((one, other) => one - other);
}

function medianOf(figures: number[]) {
  return figures[figures.length >> 1]!;
}

async function waitUntilDrawn(page: Page, path: string) {
  await page.addInitScript(() => addEventListener('connect-ready', () => console.log('drawn')));
  const ready = page.waitForEvent('console', (line) => line.text() === 'drawn');
  await page.goto(site + path);
  await ready;
  await page.waitForLoadState('networkidle');
}

async function reportLeaks(page: Page) {
  await page.goto(`${site}/bare`);
  const leaked = await measureLeak(page, MOUNTS, 'once drawn');
  const detail = Object.entries(leaked)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');
  reportFigure(
    `objects leaked by ${MOUNTS} mounts and removals`,
    Math.max(0, ...Object.values(leaked)),
    0,
    detail,
  );
}

/** Runs an action with a page in a fresh browser context. */
async function withPage(action: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext();
  await action(await context.newPage());
  await context.close();
}

function reportFigure(label: string, figure: number, budget: number, detail = '') {
  const within = figure <= budget;
  if (!within) process.exitCode = 1;
  const format = { maximumFractionDigits: 4 }; // A small layout shift is not 0.
  const figures = `${figure.toLocaleString('en', format).padStart(8)} of ${budget.toLocaleString('en')}`;
  console.log(
    `${label.padEnd(48)}${figures.padEnd(20)}${within ? '' : 'OVER BUDGET '}${detail}`.trimEnd(),
  );
}
