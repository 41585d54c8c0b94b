/**
 * `npm run bench:form` compares the donation form with a hand-written one in a browser: bytes, and
 * the time until the form is drawn on a slow device.
 *
 * A page is loaded again and again, in turn with each form, and the time is measured from the start
 * of the page to the frame that shows the form. Nothing delays the requests, so the difference is the
 * browser's work. The ratio is the median of the ratios of all rounds. The size of other products'
 * packages is compared with `--peers`, which installs them first.
 */
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { median } from '@connect-embed/api/test-support/median';
import type { PublicForm } from '@connect-embed/contract';
import { completeTerms } from '@connect-embed/contract/apply-donation-terms';
import { chromium, type Browser } from 'playwright';
import { exitOnHelpOption } from '../support/help-option.ts';
import { launchOptions } from '../support/launch-options.ts';
import { listen } from '../support/listen.ts';
import { HAND_WRITTEN_FORM } from './hand-written-form.ts';
import { peerSizes } from './peer-sizes.ts';

const DIST = new URL('../../packages/elements/dist/', import.meta.url);
const ROUNDS = 40;
const CPU_SLOWDOWN = 4;
/** The most that the time until drawn may be, compared with the hand-written form. */
const MAX_RATIO = 1.35;

exitOnHelpOption(
  'Compares the donation form with a hand-written one: bytes, and time until drawn. `--peers` also installs other products’ packages and prints their bytes.',
);
const { peers } = parseArgs({ options: { peers: { type: 'boolean' } } }).values;

const manifest = JSON.parse(readDist('manifest.json')) as Record<
  'loader' | 'base' | 'donate' | 'tables',
  string
>;
const FORM = JSON.stringify({
  object: 'embed_form',
  organization: { id: 'org_NqZ7ZzvCqkLrWd2e', name: 'Harbor Street Food Bank' },
  currency: 'usd',
  terms: completeTerms(
    { preset_amounts_cents: [2500, 5000, 10_000], default_amount_cents: 5000 },
    { min: 500, max: 1_000_000 },
    [],
  ),
  fund_name: null,
  campaign_name: 'Winter meals',
  prefill: { donor_name: null, donor_email: null },
  stripe_js_url: 'https://js.stripe.com/dahlia/stripe.js',
  livemode: true,
  receipts: true,
  form_id: 'form_8sW1tTnXcVb3MkHy',
  form_version: 3,
} satisfies PublicForm);

/** The scripts to compare, by the name of their page. */
const SCRIPTS: Record<string, { path: string; tag: string }> = {
  'written by hand': { path: 'by-hand.js', tag: 'hand-written-form' },
  'connect.js': { path: 'connect.js', tag: 'connect-donate' },
};

function readDist(file: string): string {
  return readFileSync(new URL(file, DIST), 'utf8');
}

const server = createServer((request, response) => {
  const { pathname, search } = new URL(request.url!, 'http://localhost');
  if (pathname === '/embed-form') return send(response, 'application/json', FORM);
  if (pathname === '/by-hand.js') return send(response, 'text/javascript', HAND_WRITTEN_FORM);
  if (pathname.endsWith('.js'))
    return send(response, 'text/javascript', readDist(pathname.slice(1)));
  const script = SCRIPTS[decodeURIComponent(search.slice(1))];
  if (!script) return void response.writeHead(404).end(); // The browser asks for an icon.
  const { path, tag } = script;
  const page = `<!doctype html><html lang="en"><title>Give</title><script type="module" src="/${path}"></script>
    <h1>Give</h1><${tag}></${tag}>`;
  return send(response, 'text/html; charset=utf-8', page);
});

function send(response: ServerResponse, type: string, body: string) {
  response.writeHead(200, { 'Content-Type': type }).end(body);
}

const { port, close } = await listen(server);
const browser = await chromium.launch(launchOptions());
try {
  await reportBytes();
  await reportTimes(browser, `http://127.0.0.1:${port}`);
} finally {
  await browser.close();
  await close();
}

async function reportBytes() {
  const bytes = (text: string) => brotliCompressSync(text).length;
  const script = (element: 'donate' | 'tables') =>
    (['loader', 'base', element] as const)
      .map((name) => bytes(readDist(manifest[name])))
      .reduce((sum, size) => sum + size);
  const rows: [label: string, size: number][] = [
    ['form: written by hand, with its data', bytes(HAND_WRITTEN_FORM) + bytes(FORM)],
    ['form: connect.js, with its data', script('donate') + bytes(FORM)],
    ['tables: connect.js', script('tables')],
    ...(peers ? await peerSizes() : []),
  ];
  console.log('Brotli bytes until drawn');
  for (const [label, size] of rows)
    console.log(`  ${label.padEnd(46)}${size.toLocaleString('en').padStart(8)}`);
}

async function reportTimes(shared: Browser, origin: string) {
  const times: Record<string, number[]> = {};
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of Object.keys(SCRIPTS)) {
      const time = await timeUntilDrawn(shared, `${origin}/?${encodeURIComponent(name)}`);
      if (round > 0) (times[name] ??= []).push(time); // The first round warms up the browser.
    }
    if (round % 10 === 0) console.error(`  ${round} of ${ROUNDS} rounds`);
  }
  const byHand = times['written by hand']!;
  console.log(`Time until drawn at ${CPU_SLOWDOWN} × CPU slowdown, ${ROUNDS} rounds`);
  for (const [name, values] of Object.entries(times)) {
    const ratio = median(values.map((value, round) => value / byHand[round]!));
    const goal =
      values === byHand ? '' : ` of ${MAX_RATIO} ×${ratio > MAX_RATIO ? ' OVER BUDGET' : ''}`;
    console.log(
      `  ${name.padEnd(46)}${median(values).toFixed(0).padStart(5)} ms ${ratio.toFixed(2)}${goal || ' ×'}`,
    );
  }
}

async function timeUntilDrawn(shared: Browser, address: string): Promise<number> {
  const context = await shared.newContext();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.addInitScript(() => {
    addEventListener('connect-ready', () =>
      // The task after the frame in which the form is painted.
      requestAnimationFrame(() => setTimeout(() => console.log(`drawn ${performance.now()}`))),
    );
  });
  const drawn = page.waitForEvent('console', (line) => line.text().startsWith('drawn '));
  await page.goto(address);
  const milliseconds = Number((await drawn).text().split(' ')[1]);
  await context.close();
  return milliseconds;
}
