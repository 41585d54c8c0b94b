import { fixture, expect, html } from '@open-wc/testing';
import '../define.ts';
import { donation, jsonResponse, SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { listResponse, viewer } from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const PAYOUTS = '/api/v1/payouts';
const payout = {
  id: 'po_1',
  object: 'payout',
  amount_cents: 9650,
  currency: 'usd',
  status: 'paid',
  arrival_date: '2026-11-20T00:00:00.000Z',
  created: '2026-11-18T12:00:00.000Z',
  description: null,
  statement_descriptor: null,
  automatic: true,
  trace_id: null,
  livemode: true,
};
const part = (number: number) => ({
  id: `btx_${number}`,
  object: 'balance_transaction',
  payout_id: 'po_1',
  donation_id: `don_${number}`,
  reporting_category: 'charge',
  amount_cents: 5000,
  fee_cents: 175,
  net_amount_cents: 4825,
  currency: 'usd',
  created_at: '2026-11-05T12:00:00.000Z',
});

describe('the details dialog of a payout', () => {
  it('names donors and categories in plain words', async () => {
    const refund = { ...part(7), reporting_category: 'refund', amount_cents: -2000, fee_cents: 0 };
    const others = ['charge', 'fee', 'risk_reserved_funds', 'payout_reversal', 'added_later'].map(
      (reporting_category) => ({ ...part(8), reporting_category, donation_id: null }),
    );
    server.on(PAYOUTS, () => listResponse([payout]));
    server.on(`${PAYOUTS}/po_1`, () => jsonResponse(payout));
    server.on(`${PAYOUTS}/po_1/transactions`, () => listResponse([part(1), refund, ...others]));
    server.on('/api/v1/donations', () => listResponse([donation(1)]));
    server.on('/api/v1/donations/don_7', () => jsonResponse(donation(7)));
    const main = await fixture<HTMLElement>(html`<main></main>`);
    const provider = document.createElement('connect-provider');
    provider.innerHTML = '<connect-payouts refresh-seconds="0"></connect-payouts>';
    Object.assign(provider, { server: SERVER, viewerToken: viewer });
    provider.append(document.createElement('connect-donations'));
    main.append(provider);
    const table = provider.querySelector('connect-payouts')!;
    await waitUntil(() => table.shadowRoot?.querySelector('.rows .open') && table.features, 'rows');
    table.shadowRoot!.querySelector<HTMLElement>('.rows .open')!.click();
    const cells = () =>
      [...table.shadowRoot!.querySelectorAll('dialog tbody:not(.total) tr')].map((row) =>
        [...row.children].slice(0, 2).map((cell) => cell.textContent.trim()),
      );
    await waitUntil(() => cells().some(([, donor]) => donor === 'Donor 7'), 'the donor');
    expect(cells()).to.deep.equal([
      ['Donation', 'Donor 1'],
      ['Refund', 'Donor 7'],
      ['Other payment', '—'],
      ['Fee', '—'],
      ['Reserve', '—'],
      ['Returned payout', '—'],
      ['Adjustment', '—'],
    ]);
  });

  it('lists its donations with fee, net and sum, page by page', async () => {
    server.on(PAYOUTS, () => listResponse([payout]));
    server.on(`${PAYOUTS}/po_1`, () => jsonResponse(payout));
    server.on(`${PAYOUTS}/po_1/transactions`, ({ query }) =>
      query.has('cursor') ? listResponse([part(1)]) : listResponse([part(2)], 'more'),
    );
    const main = await fixture<HTMLElement>(html`<main></main>`);
    const table = document.createElement('connect-payouts');
    Object.assign(table, { server: SERVER, viewerToken: viewer, refreshSeconds: 0 });
    main.append(table);
    await waitUntil(() => table.shadowRoot?.querySelector('.rows .open') && table.features, 'rows');
    table.shadowRoot!.querySelector<HTMLElement>('.rows .open')!.click();
    const parts = () => [...table.shadowRoot!.querySelectorAll('dialog tbody:not(.total) tr')];
    await waitUntil(() => parts().length === 1, 'the first donation');
    const dialog = table.shadowRoot!.querySelector('dialog')!;
    expect(dialog.querySelector('.total')).to.equal(null);
    const more = [...dialog.querySelectorAll<HTMLElement>('.more button')];
    more[0]!.click();
    await waitUntil(() => parts().length === 2, 'both');
    const sum = [...dialog.querySelectorAll('.total tr > *')].map((cell) =>
      cell.textContent.trim(),
    );
    expect(sum).to.deep.equal(['Total', '$100.00', '$3.50', '$96.50']);
  });

  for (const [name, change, parts, note] of [
    ['made by hand', { automatic: false }, [], /created manually/],
    ['whose transactions are not all listed', {}, [part(1)], /not listed all transactions/],
    ['that adds up', {}, [part(1), part(2)], undefined],
  ] as const) {
    it(`says what is known of a payout ${name}`, async () => {
      server.on(PAYOUTS, () => listResponse([{ ...payout, ...change }]));
      server.on(`${PAYOUTS}/po_1`, () => jsonResponse({ ...payout, ...change }));
      server.on(`${PAYOUTS}/po_1/transactions`, () => listResponse([...parts]));
      const main = await fixture<HTMLElement>(html`<main></main>`);
      const table = document.createElement('connect-payouts');
      Object.assign(table, { server: SERVER, viewerToken: viewer, refreshSeconds: 0 });
      main.append(table);
      const find = (selector: string) => table.shadowRoot?.querySelector<HTMLElement>(selector);
      await waitUntil(() => find('.rows .open') && table.features, 'rows');
      find('.rows .open')!.click();
      await waitUntil(() => find(note ? 'dialog .note' : 'dialog .total'), 'the transactions');
      if (note) expect(find('dialog .note')!.textContent).to.match(note);
      else expect(find('dialog .note')).to.equal(null);
    });
  }
});
