/**
 * `npm run bench:tables` measures the drawing time of tables and of hand-written ones in a browser,
 * in the same run.
 *
 * Both tables get the same rows and show the same content (see `hand-written-table.ts`). Each time
 * is measured from receiving the rows until they are laid out. The figures are medians of
 * alternating rounds. The ratios are reliable, because the machine's speed affects both.
 */
import { readFileSync } from 'node:fs';
import { median } from '@connect-embed/api/test-support/median';
import { chromium } from 'playwright';
import { exitOnHelpOption } from '../support/help-option.ts';
import { launchOptions } from '../support/launch-options.ts';
import { defineHandWrittenTable } from './hand-written-table.ts';

const DIST = new URL('../../packages/elements/dist/', import.meta.url);
/** Enough rounds for a stable median on a busy machine. */
const ROUNDS = 60;
const SITE = 'http://bench.test/';

interface Measurements {
  first: [ours: number[], byHand: number[]];
  many: [ours: number[], byHand: number[]];
  append: number[];
}

exitOnHelpOption(
  'Measures how long tables take to render, compared with hand-written ones, and compares the ratios with budgets.',
);

const { tables } = JSON.parse(readFileSync(new URL('manifest.json', DIST), 'utf8')) as {
  tables: string;
};

const browser = await chromium.launch(launchOptions());
try {
  const page = await browser.newPage();
  await page.route('**/*', (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (!name) return route.fulfill({ contentType: 'text/html', body: '<!doctype html><body>' });
    const body = readFileSync(new URL(name, DIST), 'utf8');
    return route.fulfill({ contentType: 'text/javascript', body });
  });
  await page.goto(SITE);
  await page.evaluate(defineHandWrittenTable);
  const figures = await page.evaluate(measure, { script: `${SITE}${tables}`, rounds: ROUNDS });
  report(figures);
} finally {
  await browser.close();
}

function report({ first, many, append }: Measurements) {
  // Calculates the ratio within each round, because a slow moment of the machine affects both
  // tables.
  const ratio = ([ours, byHand]: [number[], number[]]) =>
    median(ours.map((item, round) => item / byHand[round]!));
  reportFigure(
    'first 25 rows',
    `${ms(first[0])} against ${ms(first[1])} hand-written`,
    ratio(first),
    2,
  );
  reportFigure('10,000 rows', `${ms(many[0])} against ${ms(many[1])} hand-written`, ratio(many), 2);
  reportFigure('25 rows appended to 10,000, ms', '', median(append), 16);
}

function reportFigure(label: string, detail: string, figure: number, budget: number) {
  const isOverBudget = figure > budget;
  if (isOverBudget) process.exitCode = 1;
  const mark = isOverBudget ? ' OVER BUDGET' : '';
  console.log(`${label.padEnd(34)}${figure.toFixed(2).padStart(8)} of ${budget} ${detail}${mark}`);
}

function ms(values: number[]): string {
  return `${median(values).toFixed(1)} ms`;
}

/** Runs in the page. */
async function measure({
  script,
  rounds,
}: {
  script: string;
  rounds: number;
}): Promise<Measurements> {
  const row = (index: number) => ({
    id: `don_${index}`,
    object: 'donation',
    amount_cents: 1000 + index,
    net_amount_cents: 900,
    currency: 'usd',
    recurring: false,
    refund_status: 'none',
    refunded_amount_cents: 0,
    dispute_status: 'none',
    donor_name: `Donor ${index}`,
    donor_email: null,
    fund_id: null,
    fund_name: 'Meals',
    campaign_id: null,
    contact_id: null,
    source: 'embed',
    source_id: null,
    created_at: new Date(1_760_000_000_000 + index * 1000).toISOString(),
  });
  type Row = ReturnType<typeof row>;
  const rows = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => row(from + index));
  const frame = () => new Promise((resolve) => setTimeout(resolve));

  await import(script);
  const element = document.createElement('connect-donations') as HTMLElement & {
    pages: { rows: Row[]; status: string; hasMore: boolean; first(): Promise<void> };
    loadFeatures(): Promise<unknown>;
    requestUpdate(): void;
    updateComplete: Promise<boolean>;
  };
  const session = { token: 't', api_base: `${location.origin}/api`, expires_at: '2999-01-01' };
  const json = (body: unknown) => Promise.resolve(new Response(JSON.stringify(body)));
  window.fetch = (url) =>
    (url as string).includes('component-sessions')
      ? json(session)
      : json({ data: rows(0, 1), has_more: true, next_cursor: 'more' });
  element.setAttribute('refresh-seconds', '0');
  document.body.append(element);
  await new Promise((resolve) => element.addEventListener('connect-ready', resolve));
  await element.loadFeatures();

  const forceLayout = () => document.body.offsetHeight;
  const ours = async (data: Row[]) => {
    const start = performance.now();
    element.pages.rows = data;
    element.requestUpdate();
    await element.updateComplete;
    forceLayout();
    return performance.now() - start;
  };

  const figures: Measurements = { first: [[], []], many: [[], []], append: [] };
  let next = 1;
  const nextRows = (count: number) => rows((next += count) - count, count);
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, count] of [
      ['first', 25],
      ['many', 10_000],
    ] as const) {
      const empty = async () => {
        await ours([]);
        window.clearHandWrittenTable();
        forceLayout();
        await frame();
      };
      const [ourTimes, handWrittenTimes] = figures[kind];
      const both = [
        async () => ourTimes.push(await ours(nextRows(count))),
        () => Promise.resolve(handWrittenTimes.push(window.drawHandWrittenTable(nextRows(count)))),
      ];
      // Alternates the order, because the first table may include the time for shared
      // initialization.
      for (const draw of round % 2 ? both : both.toReversed()) {
        await empty();
        await draw();
      }
    }
    window.clearHandWrittenTable();
    await ours(nextRows(10_000));
    await frame();
    figures.append.push(await ours([...element.pages.rows, ...nextRows(25)]));
  }
  return figures;
}
