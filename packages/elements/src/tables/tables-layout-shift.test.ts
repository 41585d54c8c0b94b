import type { Donor, Payout } from '@connect-embed/contract';
import { aTimeout, expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import type { ConnectDonations } from '../connect-donations.ts';
import { createSums, yearlySeries } from '../test-support/series.ts';
import { donation, jsonResponse, pageSession, SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { DONATIONS, rows, viewer } from '../test-support/table.ts';
import { untilQuiet } from '../test-support/until-quiet.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const MOMENT = '2026-11-20T12:00:00.000Z';
/**
 * Number of rows: few, so that content below the table is visible; with tools, enough to fill the
 * window.
 */
let limit = 3;
const many = <Row>(make: (number: number) => Row) =>
  Array.from({ length: limit }, (_, index) => make(limit - index));

const donor = (number: number): Donor => ({
  ...{ id: `dnr_${number}`, object: 'donor', email: null, first_name: 'A.', last_name: 'L.' },
  ...{ phone: null, city: null, state: null, postal_code: null, country: null },
  ...{ source: 'embed', created_at: MOMENT, updated_at: MOMENT },
});
const payout = (number: number): Payout => ({
  ...{ id: `po_${number}`, object: 'payout', amount_cents: 5000, currency: 'usd', status: 'paid' },
  ...{ arrival_date: MOMENT, created: MOMENT, description: 'Weekly', statement_descriptor: null },
  ...{ automatic: true, trace_id: null, livemode: true },
});

/** Delays a response, so that the previous one is rendered before it arrives. */
const later = async (ms: number, body: unknown, status = 200) => {
  await aTimeout(ms);
  return jsonResponse(body, status);
};
const list = (data: unknown[]) => ({ data, has_more: true, next_cursor: 'more' });

let masks: readonly string[];
let currencies: readonly string[];
beforeEach(() => {
  masks = [];
  currencies = ['usd'];
  server.on('/component-sessions', ({ body }) =>
    later(80, { ...pageSession(body['components']), masks }, 201),
  );
  server.on(DONATIONS, () =>
    later(
      80,
      list(
        many((number) => donation(number, { fund_id: 'fund_meals', fund_name: 'Weekend meals' })),
      ),
    ),
  );
  server.on('/api/v1/donors', () => later(80, list(many(donor))));
  server.on('/api/v1/payouts', () => later(80, list(many(payout))));
  const some = { count: 12_345, gross_cents: 123_456_789, net_cents: 120_000_000 };
  const onItsWay = { processing_count: 2, processing_amount_cents: 7500 };
  server.on(`${DONATIONS}/summary`, () => {
    const data = currencies.map((currency) => ({
      ...createSums({ ...some, currency }),
      ...onItsWay,
    }));
    return later(120, { object: 'donation_summary', data });
  });
  server.on(`${DONATIONS}/series`, () => later(200, yearlySeries()));
});

interface Shift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null }[];
}

/** Returns the layout shifts from the first render until everything has loaded. */
async function shiftsOf(tag: string, width: number, attributes: Record<string, string>) {
  const moved: string[] = [];
  const note = (entries: PerformanceEntryList) => {
    for (const { value, sources } of entries as Shift[]) {
      const nodes = sources.map(
        ({ node }) => (node as Element | null)?.className || node?.nodeName,
      );
      moved.push(`${value.toFixed(4)} ${nodes.join(' ')}`);
    }
  };
  const holder = await fixture<HTMLElement>(html`<main><p>Above</p></main>`);
  holder.style.inlineSize = `${width}px`;
  const element = document.createElement(tag);
  const { tools = '' } = attributes;
  const all = { server: SERVER, 'viewer-token': viewer, limit: `${limit}`, ...attributes };
  for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
  holder.append(element, Object.assign(document.createElement('p'), { textContent: 'Below' }));
  scrollTo(0, 0);
  // The first render is no shift: only what comes after it counts.
  await untilQuiet();
  const observer = new PerformanceObserver((entries) => note(entries.getEntries()));
  observer.observe({ type: 'layout-shift' });
  await waitUntil(() => rows(element).length === limit, 'rows');
  const drawn = (selector: string) => element.shadowRoot!.querySelector(selector);
  if (tools.includes('totals')) await waitUntil(() => drawn('.totals dl'), 'totals');
  if (tools.includes('chart')) {
    await waitUntil(() => drawn('.chart')?.shadowRoot?.querySelector('.bar'), 'bars');
  }
  await waitUntil(() => (element as ConnectDonations).features, 'all features');
  await untilQuiet();
  note(observer.takeRecords());
  observer.disconnect();
  return moved;
}

const WIDTHS = [300, 400, 479, 600, 760, 1000];
const ALL = 'search filters totals chart export';

describe('a loading table causes no layout shift', () => {
  for (const [description, tag, attributes, kept] of [
    ['donations', 'connect-donations', {}, []],
    ['donors', 'connect-donors', {}, []],
    ['payouts', 'connect-payouts', {}, []],
    ['donors with masked columns', 'connect-donors', {}, ['names', 'emails', 'addresses']],
    ['chosen columns', 'connect-donations', { columns: 'amount donor' }, []],
    [
      'columns that are set after the first render',
      'connect-donations',
      { columns: 'net, donor,refunded' },
      [],
    ],
    ['a requested column that is masked', 'connect-donors', { columns: 'name email' }, ['emails']],
    ['totals', 'connect-donations', { tools: 'totals' }, []],
    ['a chart', 'connect-donations', { tools: 'chart' }, []],
    ['totals and a chart', 'connect-donations', { tools: 'totals chart' }, []],
    ['filters and a chart', 'connect-donations', { tools: 'filters chart' }, []],
    ['all tools', 'connect-donations', { tools: ALL }, []],
    ['all tools in German', 'connect-donations', { tools: ALL, locale: 'de' }, []],
  ] as const) {
    for (const width of WIDTHS) {
      it(`${description}, ${width} px wide`, async () => {
        masks = kept;
        limit = 'tools' in attributes ? 25 : 3;
        expect(await shiftsOf(tag, width, attributes)).to.deep.equal([]);
      });
    }
  }

  for (const width of WIDTHS) {
    it(`totals in several currencies, ${width} px wide`, async () => {
      currencies = ['usd', 'eur', 'jpy', 'cad'];
      limit = 3;
      expect(await shiftsOf('connect-donations', width, { tools: 'totals' })).to.deep.equal([]);
    });
  }
});
