import type { Donation } from '@connect-embed/contract';
import { expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import { importLocale } from '../shared/locale-file.ts';
import { donation, SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { DONATIONS, listResponse } from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const LANGUAGES = ['en', 'ar', 'de', 'es', 'fr', 'he', 'hi', 'it', 'ja', 'nl', 'pt', 'zh'];

/** Every status, one-time and recurring, with the longest amounts and dates. */
const STATES: Partial<Donation>[] = [
  { refund_status: 'none' },
  { refund_status: 'partial', refunded_amount_cents: 1_234_567 },
  { refund_status: 'full' },
  { dispute_status: 'open' },
  { dispute_status: 'won' },
  { dispute_status: 'lost' },
];
const ROWS = STATES.flatMap((state, index) =>
  [false, true].map((recurring) =>
    donation(2 * index + +recurring, {
      ...{ recurring, currency: recurring ? 'usd' : 'chf', amount_cents: 123_456_789 },
      ...{ fund_name: 'Meals', donor_name: 'Ada', created_at: `2026-0${index + 4}-28T12:00:00Z` },
      ...state,
    }),
  ),
);
const PAYOUTS = ['pending', 'in_transit', 'paid', 'failed', 'canceled'].map((status, index) => ({
  ...{ id: `po_${index}`, object: 'payout', amount_cents: -123_456_789, currency: 'usd', status },
  ...{ arrival_date: '2026-10-28T00:00:00Z', created: '2026-10-28T00:00:00Z' },
  ...{ description: 'Weekly', statement_descriptor: null },
}));

describe('table content', () => {
  before(() => Promise.all(LANGUAGES.slice(1).map((language) => importLocale('tables', language))));
  beforeEach(() => {
    server.on(DONATIONS, () => listResponse(ROWS));
    server.on('/api/v1/payouts', () => listResponse(PAYOUTS));
  });

  for (const language of LANGUAGES) {
    it(`fits into its cells at every width: ${language}`, async () => {
      const main = await fixture<HTMLElement>(html`
        <main>
          <connect-donations server=${SERVER} locale=${language}></connect-donations>
          <connect-payouts server=${SERVER} locale=${language}></connect-payouts>
        </main>
      `);
      for (const table of main.querySelectorAll('connect-donations, connect-payouts')) {
        await waitUntil(() => table.shadowRoot!.querySelector('.rows tr'), 'rows');
        for (const width of [320, 768, 1024]) {
          main.style.inlineSize = `${width}px`;
          expect(cutOff(table), `${table.localName}, ${width} px`).to.deep.equal([]);
        }
      }
    });
  }

  it('wraps to a second line without increasing the row height', async () => {
    const main = await fixture<HTMLElement>(html`
      <main style="inline-size: 768px">
        <connect-donations server=${SERVER} locale="de"></connect-donations>
      </main>
    `);
    const { shadowRoot } = main.querySelector('connect-donations')!;
    await waitUntil(() => shadowRoot!.querySelector('.rows small'), 'a recurring donation');
    // The last status is the longest: “Anfechtung verloren”.
    const badge = [...shadowRoot!.querySelectorAll('.rows small')].at(-1)!.parentElement!;
    expect(badge.offsetHeight, 'two lines').to.be.above(30);
    expect(badge.closest('tr')!.offsetHeight).to.equal(44);
  });
});

/** Texts of cells and visible column headers that are wider than their cell. */
const cutOff = (table: Element) =>
  [...table.shadowRoot!.querySelectorAll<HTMLElement>('th, td, .sort, .open')]
    .filter((cell) => {
      const { paddingLeft, paddingRight } = getComputedStyle(cell);
      const availableWidth = cell.offsetWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      const contents = document.createRange();
      contents.selectNodeContents(cell);
      const asCards = cell.closest('thead') && cell.closest('.frame')!.clientWidth < 720;
      return !asCards && contents.getBoundingClientRect().width > availableWidth + 0.5;
    })
    .map((cell) => cell.textContent);
