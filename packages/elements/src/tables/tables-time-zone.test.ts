import { expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import type { ConnectDonations } from '../connect-donations.ts';
import { donation, jsonResponse, SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import {
  DONATIONS,
  openPanel,
  openTable,
  openWholeTable,
  rows,
  viewer,
} from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

/** A time zone in which it is already the next day at noon UTC. */
const EASTERNMOST_ZONE = 'Pacific/Kiritimati';
const MOMENT = '2026-11-20T12:00:00.000Z';

const payout = {
  id: 'po_1',
  object: 'payout',
  amount_cents: 5000,
  currency: 'usd',
  status: 'paid',
  arrival_date: '2026-11-20T00:00:00.000Z',
  created: MOMENT,
  description: null,
  statement_descriptor: null,
};
const part = {
  id: 'pd_1',
  reporting_category: 'charge',
  donation_id: null,
  currency: 'usd',
  created_at: MOMENT,
};
const sums = { amount_cents: 5000, fee_cents: 0, net_amount_cents: 5000 };

/** Mocks the API with a `time-zone` response header, or without it (null). */
function respondWithZone(zone: string | null) {
  const headers = zone === null ? {} : { 'time-zone': zone };
  const list = (data: unknown[]) =>
    jsonResponse({ data, has_more: false, next_cursor: null }, 200, headers);
  server.on(DONATIONS, () => list([donation(1, { created_at: MOMENT })]));
  for (const path of ['series', 'funds']) server.on(`${DONATIONS}/${path}`, () => list([]));
  server.on(`${DONATIONS}/don_1`, () =>
    jsonResponse(donation(1, { created_at: MOMENT }), 200, headers),
  );
  server.on('/api/v1/payouts', () => list([payout]));
  server.on('/api/v1/payouts/po_1', () => jsonResponse(payout, 200, headers));
  server.on('/api/v1/payouts/po_1/transactions', () => list([{ ...part, ...sums }]));
}

const dates = (element: Element) =>
  [...element.shadowRoot!.querySelectorAll('.rows time, dd time, [part=transactions] time')].map(
    (time) => time.textContent,
  );

/** The transactions of a payout arrive after its own dates. */
const hasAllDates = (element: Element) =>
  element.localName === 'connect-payout-details'
    ? element.shadowRoot!.querySelector('[part=transactions] time') !== null
    : dates(element).length > 0;

/** Renders elements side by side, and returns the dates that each shows. */
async function datesOf(...elements: string[]) {
  const all = elements.map((tag) => {
    const [name, ...attributes] = tag.split(' ');
    return `<${name} ${attributes.join(' ')} server="${SERVER}" viewer-token="${viewer}"></${name}>`;
  });
  const main = await fixture<HTMLElement>(html`<main lang="en"></main>`);
  main.innerHTML = all.join('');
  await waitUntil(() => [...main.children].every(hasAllDates), 'dates');
  return [...main.children].map((element) => dates(element));
}

describe('the time zone of dates', () => {
  it('is the organization’s, except for bank dates, which are the same everywhere', async () => {
    respondWithZone(EASTERNMOST_ZONE);
    expect(
      await datesOf(
        'connect-donations',
        'connect-payouts columns="arrival_date created"',
        'connect-donation-details donation-id="don_1"',
        'connect-payout-details payout-id="po_1"',
      ),
    ).to.deep.equal([
      ['Nov 21, 2026'],
      ['Nov 20, 2026', 'Nov 21, 2026'],
      ['Nov 21, 2026'],
      ['Nov 20, 2026', 'Nov 21, 2026', 'Nov 21, 2026'],
    ]);
  });

  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    it(`is not applied to bank dates, also if the attribute is ${zone}`, async () => {
      respondWithZone(null);
      const attribute = `time-zone="${zone}"`;
      const [arrives] = await datesOf(`connect-payouts ${attribute}`);
      expect(arrives).to.deep.equal(['Nov 20, 2026']);
    });
  }

  it('is the attribute’s, and the viewer’s if the API returns none', async () => {
    respondWithZone(EASTERNMOST_ZONE);
    expect(await datesOf('connect-donations time-zone="UTC"')).to.deep.equal([['Nov 20, 2026']]);
    respondWithZone(null);
    const localDate = new Date(MOMENT).toLocaleDateString('en', { dateStyle: 'medium' });
    expect(await datesOf('connect-donations')).to.deep.equal([[localDate]]);
  });

  it('is the provider’s rather than the organization’s', async () => {
    respondWithZone(EASTERNMOST_ZONE);
    const provider = await fixture<HTMLElement>(html`
      <connect-provider server=${SERVER} viewer-token=${viewer} time-zone="UTC">
        <connect-donations refresh-seconds="0"></connect-donations>
      </connect-provider>
    `);
    const table = provider.querySelector('connect-donations')!;
    await waitUntil(() => rows(table).length === 1, 'a row');
    expect(dates(table)).to.deep.equal(['Nov 20, 2026']);
  });

  it('ignores an invalid time zone', async () => {
    respondWithZone(EASTERNMOST_ZONE);
    const table = await openTable({ 'time-zone': 'Mars/Olympus' });
    expect(dates(table)).to.deep.equal(['Nov 21, 2026']);
  });

  it('applies to date filters and the chart', async () => {
    respondWithZone(EASTERNMOST_ZONE);
    const table = await openWholeTable({ tools: 'filters chart', 'time-zone': 'Mars/Olympus' });
    await waitUntil(() => server.requestsTo(`${DONATIONS}/series`).length === 1, 'a series');
    expect(server.requestsTo(`${DONATIONS}/series`)[0]!.query.get('time_zone')).to.equal(
      EASTERNMOST_ZONE,
    );
    const from = (await openPanel(table)).querySelector<HTMLInputElement>('input[type=date]')!;
    from.value = '2026-11-21';
    from.dispatchEvent(new Event('change'));
    await waitUntil(() => server.requestsTo(DONATIONS).length === 2, 'another page');
    expect(server.requestsTo(DONATIONS)[1]!.query.get('created_from')).to.equal(
      '2026-11-20T10:00:00.000Z',
    );
  });

  it('is known before a date filter is enabled', async () => {
    respondWithZone(EASTERNMOST_ZONE);
    const first = Promise.withResolvers<void>();
    const headers = { 'time-zone': EASTERNMOST_ZONE };
    const list = { data: [donation(1)], has_more: false, next_cursor: null };
    server.on(DONATIONS, () => first.promise.then(() => jsonResponse(list, 200, headers)));
    const table = await fixture<ConnectDonations>(html`
      <connect-donations
        tools="filters"
        server=${SERVER}
        viewer-token=${viewer}
      ></connect-donations>
    `);
    await openPanel(table);
    const day = () => table.shadowRoot!.querySelector<HTMLInputElement>('input[type=date]');
    expect(day()!.disabled).to.equal(true);
    first.resolve();
    await waitUntil(() => rows(table).length === 1, 'a row');
    await waitUntil(() => !day()!.disabled, 'a field that takes a day');
  });
});
