import type { Payout, BalanceTransaction } from '@connect-embed/contract';
import { expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import { jsonResponse, SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import {
  DONATIONS,
  queryShadow,
  openWholeTable,
  listResponse,
  rows,
  some,
  viewer,
} from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const MOMENT = '2026-11-20T12:00:00.000Z';
const payout: Payout = {
  id: 'po_1',
  object: 'payout',
  amount_cents: -4321,
  currency: 'usd',
  status: 'paid',
  arrival_date: MOMENT,
  created: MOMENT,
  description: 'Taken back',
  statement_descriptor: null,
  automatic: true,
  trace_id: null,
  livemode: true,
};
const refund: BalanceTransaction = {
  id: 'pd_1',
  object: 'balance_transaction',
  payout_id: 'po_1',
  donation_id: null,
  reporting_category: 'refund',
  amount_cents: -4321,
  fee_cents: -1,
  net_amount_cents: -4320,
  currency: 'usd',
  fee_details: [],
  exchange_rate: null,
  available_on: null,
  processor_transaction_id: null,
  processor_source_id: null,
  created_at: MOMENT,
};

beforeEach(() => {
  server.on('/api/v1/payouts', () => listResponse([payout]));
  server.on('/api/v1/payouts/po_1', () => jsonResponse(payout));
  server.on('/api/v1/payouts/po_1/transactions', () => listResponse([refund]));
});
afterEach(() => document.documentElement.removeAttribute('dir'));

/**
 * For each negative amount: whether the minus sign is to the left of the first digit, as numbers are
 * read also in right-to-left scripts.
 */
function minuses(root: ShadowRoot): boolean[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: boolean[] = [];
  for (let node = walker.nextNode() as Text; node; node = walker.nextNode() as Text) {
    const minus = node.parentElement!.closest('td,dd')
      ? node.data.search(/[-−]\P{Nd}*\p{Nd}/u)
      : -1;
    if (minus < 0) continue;
    const digit = minus + node.data.slice(minus).search(/\p{Nd}/u);
    found.push(leftOf(node, minus) < leftOf(node, digit));
  }
  return found;
}

function leftOf(node: Text, at: number): number {
  const range = new Range();
  range.setStart(node, at);
  range.setEnd(node, at + 1);
  return range.getBoundingClientRect().left;
}

describe('a negative amount', () => {
  for (const [tag, count] of [
    ['connect-payouts', 1],
    ['connect-payout-details', 7],
  ] as const) {
    for (const locale of ['en', 'de', 'he', 'ar']) {
      it(`has its minus sign on the left on a right-to-left page: <${tag}> in ${locale}`, async () => {
        document.documentElement.dir = 'rtl';
        const main = await fixture<HTMLElement>(html`<main></main>`);
        const element = document.createElement(tag);
        const id = tag === 'connect-payouts' ? {} : { 'payout-id': 'po_1' };
        const all = { server: SERVER, 'viewer-token': viewer, locale, ...id };
        for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
        main.append(element);
        const root = () => element.shadowRoot!;
        await element.updateComplete;
        // Simulates browsers that ignore the cell's `unicode-bidi`.
        const plain = new CSSStyleSheet();
        plain.replaceSync('td, dd { unicode-bidi: normal !important }');
        root().adoptedStyleSheets = [...root().adoptedStyleSheets, plain];
        await waitUntil(() => element.shadowRoot && minuses(root()).length === count, 'amounts');
        for (const width of [300, 1000]) {
          main.style.inlineSize = `${width}px`;
          expect(minuses(root()), `${width} px`).to.deep.equal(Array(count).fill(true));
        }
      });
    }
  }
});

/** Distances between a cell's content and its left and right edges; the smaller one shows the alignment. */
function sides(cell: Element): { left: number; right: number } {
  const range = new Range();
  range.selectNodeContents(cell);
  const [outer, inner] = [cell.getBoundingClientRect(), range.getBoundingClientRect()];
  return { left: inner.left - outer.left, right: outer.right - inner.right };
}

describe('cell content', () => {
  for (const direction of ['ltr', 'rtl']) {
    it(`is aligned with its column header, in any script: ${direction}`, async () => {
      document.documentElement.dir = direction;
      const mixed = [
        { fund_id: 'fund_1', fund_name: 'Meals.' },
        { fund_id: 'fund_2', fund_name: 'وجبات' },
      ];
      server.on(DONATIONS, () => listResponse(mixed.flatMap((fund, at) => some(2 - at, 1, fund))));
      const columns = 'created_at donor fund status amount';
      const locale = direction === 'rtl' ? 'ar' : 'en';
      const table = await openWholeTable({ locale, columns });
      table.parentElement!.style.inlineSize = '1000px';
      await waitUntil(() => !queryShadow(table, '.cards'), 'a wide table');
      for (const row of [queryShadow(table, 'thead tr')!, ...rows(table)]) {
        for (const cell of row.children) {
          const { left, right } = sides(cell);
          const fromStart = direction === 'ltr' ? left < right : right < left;
          expect(fromStart, cell.textContent).to.equal(!cell.classList.contains('number'));
        }
      }
    });
  }
});
