/**
 * `npm run budgets`: what the form costs a page, each figure against its budget.
 *
 * The whole house, a page of another site, and a real browser; the size by `npm run size`.
 */
import { spawnSync } from 'node:child_process';
import { chromium, type Page } from 'playwright';
import { openHostPages } from '../e2e/support/host-pages.ts';
import { totalShift, watchShifts } from '../e2e/support/shifts.ts';
import { leftBehind } from '../leak/come-and-go.ts';
import { freePorts } from '../support/free-ports.ts';
import { endWithHelp } from '../support/help.ts';
import { openHouse, type House } from '../support/house.ts';
import { launchOptions } from '../support/launch-options.ts';
import { watchArrival } from './arrival.ts';
import { longestTasks, type LongestTasks } from './long-tasks.ts';

/** Other programs of the machine lengthen tasks, of some loads more than of others. */
const LOADS = 7;
const MOUNTS = 100;

endWithHelp('Prints what a donation form costs a page, each figure against its budget.');

const weighed = spawnSync(process.execPath, ['test/size/size.ts'], { encoding: 'utf8' });
const [, bytes = 'unknown'] =
  /^script to a drawn donation form +([\d,]+)/m.exec(weighed.stdout) ?? [];
say('script to a drawn form, bytes of brotli', Number(bytes.replace(',', '')), 15_000);

const [port] = await freePorts(1);
const site = `http://localhost:${port}`;
const house = await openHouse({ ALLOWED_ORIGINS: site });
const pages = await openHostPages(port!, house);
const browser = await chromium.launch(launchOptions());
try {
  await withPage((page) => tellArrival(page, house));
  await withPage((page) => tellWhole(page, house));
  await withPage(tellShifts);
  await tellLongTasks('longest task with our script', '/hosts/the-script-in-the-head');
  await tellLongTasks('the same, the form named by it', '/whole');
  await tellLongTasks('the same, in German', '/german');
  await withPage(tellLeaks);
} finally {
  await browser.close();
  pages.close();
  await house.close();
}

async function tellArrival(page: Page, { server }: House) {
  const { requests, roundTrips, foreign, kept } = await watchArrival(page, `${site}/plain`, server);
  say('requests before the form is drawn', requests, 3);
  say('round trips from the script to the drawn form', roundTrips, 1);
  say('requests to others before the donor acts', foreign.length, 0, foreign.join(' '));
  say('cookies and stored items before the donor acts', kept.length, 0, kept.join(' '));
}

async function tellWhole(page: Page, { server }: House) {
  const { requests, roundTrips } = await watchArrival(page, `${site}/whole`, server);
  say('requests, the form named by the script', requests, 1);
  say('round trips, the form named by the script', roundTrips, 0);
}

async function tellShifts(page: Page) {
  await watchShifts(page);
  for (const display of ['inline', 'button', 'sticky', 'modal']) {
    await page.goto(`${site}/apart-${display}`);
    await page.evaluate(() => customElements.whenDefined('connect-donate'));
    await page.waitForLoadState('networkidle');
    if (display !== 'inline') await page.evaluate(openForm);
    await page.waitForLoadState('networkidle');
    say(`layout shift, display="${display}", come and open`, await totalShift(page), 0);
  }
}

/** Runs in the page. */
function openForm() {
  return document.querySelector<HTMLElement & { open(): Promise<void> }>('connect-donate')!.open();
}

async function tellLongTasks(what: string, path: string) {
  const loads: LongestTasks[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    await withPage(async (page) => loads.push(await longestTasks(page, () => drawn(page, path))));
  }
  const ours = inOrder(loads.map((one) => one.ours));
  const others = inOrder(loads.map((one) => one.browser));
  const how = `median of ${ours.join(', ')}; the browser's own ${medianOf(others)}, worst ${others.at(-1)}`;
  say(`${what} at 4 ×, ms`, medianOf(ours), 50, how);
}

function inOrder(figures: number[]) {
  return figures.map(Math.round).toSorted((one, other) => one - other);
}

function medianOf(figures: number[]) {
  return figures[figures.length >> 1]!;
}

async function drawn(page: Page, path: string) {
  await page.addInitScript(() => addEventListener('connect-ready', () => console.log('drawn')));
  const ready = page.waitForEvent('console', (line) => line.text() === 'drawn');
  await page.goto(site + path);
  await ready;
  await page.waitForLoadState('networkidle');
}

async function tellLeaks(page: Page) {
  await page.goto(`${site}/bare`);
  const left = await leftBehind(page, MOUNTS, 'once drawn');
  const how = Object.entries(left)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');
  say(`left behind by ${MOUNTS} mounts and removals`, Math.max(0, ...Object.values(left)), 0, how);
}

/** A page of a browser that knows nothing yet. */
async function withPage(act: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext();
  await act(await context.newPage());
  await context.close();
}

function say(what: string, figure: number, most: number, how = '') {
  const within = figure <= most;
  if (!within) process.exitCode = 1;
  const figures = `${figure.toLocaleString('en').padStart(8)} of ${most.toLocaleString('en')}`;
  console.log(
    `${what.padEnd(48)}${figures.padEnd(20)}${within ? '' : 'OVER BUDGET '}${how}`.trimEnd(),
  );
}
