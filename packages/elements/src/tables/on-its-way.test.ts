import type { DonationSummaryRow, ProcessingPayment } from '@connect-embed/contract';
import { expect } from '@open-wc/testing';
import '../define.ts';
import { createSums } from '../test-support/series.ts';
import { errorResponse, jsonResponse } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import {
  DONATIONS,
  listResponse,
  openWholeTable,
  queryShadow,
  rows,
  some,
} from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const PAYMENTS = '/api/v1/payment-intents';
const NOTHING = { count: 0, gross_cents: 0, net_cents: 0, fee_cents: 0 };
const ON_ITS_WAY = { processing_count: 2, processing_amount_cents: 7500 };

const payment = (number: number, change: Partial<ProcessingPayment> = {}): ProcessingPayment => ({
  ...{ id: `pi_${number}`, object: 'processing_payment', amount_cents: 5000, currency: 'usd' },
  ...{ payment_method: 'us_bank_account', donor_name: `Donor ${number}`, donor_email: null },
  ...{ fund_id: 'fund_meals', campaign_id: null, form_id: null, recurring: false },
  ...{ expected_at: '2026-11-26T12:00:00.000Z', created_at: '2026-11-20T12:00:00.000Z' },
  reference: null,
  livemode: true,
  ...change,
});

const setSummary = (...data: DonationSummaryRow[]) =>
  server.on(`${DONATIONS}/summary`, () => jsonResponse({ object: 'donation_summary', data }));

const line = (element: Element) => queryShadow(element, '.on-its-way summary')?.innerText;

/** Opens the list, and returns the texts of its items. */
async function openList(element: Element) {
  queryShadow(element, '.on-its-way summary')!.click();
  const items = () => [...element.shadowRoot!.querySelectorAll<HTMLElement>('.on-its-way li')];
  await waitUntil(() => items().length, 'the list');
  return items().map(({ innerText }) => innerText.replace(/\s+/g, ' '));
}

const top = (element: Element) => queryShadow(element, '.rows')!.getBoundingClientRect().top;

beforeEach(() => {
  server.on(DONATIONS, () => listResponse(some(2, 2)));
  server.on(PAYMENTS, () =>
    listResponse([payment(2, { amount_cents: 2500, fund_id: null }), payment(1)]),
  );
  setSummary({ ...createSums(), ...ON_ITS_WAY });
});

describe('payments whose money is on its way', () => {
  for (const tools of ['', 'totals']) {
    it(`are counted beside the caption, and listed over the rows, with tools="${tools}"`, async () => {
      const element = await openWholeTable({ tools });
      const before = top(element);
      await waitUntil(() => line(element), 'the line');
      expect(line(element)).to.equal('2 donations are on their way ($75.00)');
      expect(server.requestsTo(`${DONATIONS}/summary`)).to.have.length(1);
      expect(server.requestsTo(PAYMENTS)).to.deep.equal([]);
      expect(await openList(element)).to.deep.equal([
        'Donor 2 $25.00 Nov 20, 2026 Expected by Nov 26, 2026',
        'Donor 1 $50.00 Nov 20, 2026 Expected by Nov 26, 2026',
      ]);
      const [request] = server.requestsTo(PAYMENTS);
      expect(request!.query.get('status')).to.equal('processing');
      expect(top(element)).to.equal(before);
    });
  }

  it('are requested after the first rows are drawn', async () => {
    let drawn = 0;
    server.on(`${DONATIONS}/summary`, () => {
      drawn = rows(document.querySelector('connect-donations')!).length;
      return jsonResponse({ object: 'donation_summary', data: [] });
    });
    await openWholeTable();
    await waitUntil(() => server.requestsTo(`${DONATIONS}/summary`).length, 'the request');
    expect(drawn).to.equal(2);
  });

  it('are listed with the filters of the table', async () => {
    setSummary({ ...createSums(), processing_count: 1, processing_amount_cents: 5000 });
    const element = await openWholeTable();
    element.pages.query = { fund_id: 'fund_meals' };
    await element.refresh();
    await waitUntil(() => line(element), 'the line');
    expect(await openList(element)).to.have.length(1);
  });

  it('are shown if there are no donations yet', async () => {
    server.on(DONATIONS, () => listResponse([]));
    setSummary({ ...createSums(NOTHING), ...ON_ITS_WAY });
    const element = await openWholeTable({ tools: 'totals' });
    await waitUntil(() => line(element), 'the line');
    expect(queryShadow(element, '.message')).to.exist;
  });

  it('in a currency without donations are not in the totals', async () => {
    setSummary(
      { ...createSums({ ...NOTHING, currency: 'eur' }), ...ON_ITS_WAY },
      { ...createSums(), processing_count: 1, processing_amount_cents: 5000 },
    );
    const element = await openWholeTable({ tools: 'totals' });
    await waitUntil(() => line(element), 'the line');
    expect(line(element)).to.equal('3 donations are on their way (€75.00 + $50.00)');
    expect(queryShadow(element, '.totals')!.innerText).to.include('Donations\n2');
    expect(queryShadow(element, '.totals details')).to.equal(null);
  });

  it('are not mentioned if there are none, or if their sums cannot be read', async () => {
    setSummary({ ...createSums(), processing_count: 0, processing_amount_cents: 0 });
    const none = await openWholeTable({ tools: 'totals' });
    await waitUntil(() => queryShadow(none, '.totals dl'), 'the totals');
    expect(queryShadow(none, '.on-its-way')).to.equal(null);
    server.on(`${DONATIONS}/summary`, () => errorResponse('forbidden'));
    const before = server.requestsTo(`${DONATIONS}/summary`).length;
    const refused = await openWholeTable();
    await waitUntil(
      () => server.requestsTo(`${DONATIONS}/summary`).length > before,
      'the request for the sums',
    );
    await refused.updateComplete;
    expect(queryShadow(refused, '.on-its-way')).to.equal(null);
    expect(rows(refused)).to.have.length(2);
  });

  it('have a list that says if it cannot be read, and is read again when it is opened again', async () => {
    server.on(PAYMENTS, (_, times) =>
      times === 1 ? errorResponse('forbidden') : listResponse([payment(1)]),
    );
    const element = await openWholeTable();
    await waitUntil(() => line(element), 'the line');
    queryShadow(element, '.on-its-way summary')!.click();
    await waitUntil(() => queryShadow(element, '.on-its-way [role="alert"]'), 'the error');
    queryShadow(element, '.on-its-way summary')!.click();
    await waitUntil(() => !queryShadow(element, '.on-its-way')!.hasAttribute('open'), 'closed');
    expect(await openList(element)).to.have.length(1);
  });

  it('are read in pages', async () => {
    server.on(PAYMENTS, ({ query }) =>
      query.get('cursor') ? listResponse([payment(1)]) : listResponse([payment(2)], 'next'),
    );
    const element = await openWholeTable();
    await waitUntil(() => line(element), 'the line');
    expect(await openList(element)).to.have.length(1);
    queryShadow(element, '.on-its-way button')!.click();
    await waitUntil(
      () => element.shadowRoot!.querySelectorAll('.on-its-way li').length === 2,
      'both payments',
    );
    expect(queryShadow(element, '.on-its-way button')).to.equal(null);
  });
});
