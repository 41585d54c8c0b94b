import type { Payout, BalanceTransaction } from '@connect-embed/contract';
import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import '../define.ts';
import {
  donation,
  jsonResponse,
  neverResolves,
  pageSession,
  errorResponse,
  SERVER,
} from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { listResponse, viewer } from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const DONATION = '/api/v1/donations/don_1';
const PAYOUT = '/api/v1/payouts/po_1';

const payout: Payout = {
  id: 'po_1',
  object: 'payout',
  amount_cents: 123_456,
  currency: 'usd',
  status: 'paid',
  arrival_date: '2026-11-09T00:00:00.000Z',
  created: '2026-11-06T08:00:00.000Z',
  description: 'Weekly payout',
  statement_descriptor: 'HARBOR ST',
  automatic: true,
  trace_id: null,
  livemode: true,
};

const part = (number: number, change: Partial<BalanceTransaction> = {}): BalanceTransaction => ({
  id: `pd_${number}`,
  object: 'balance_transaction',
  payout_id: 'po_1',
  donation_id: `don_${number}`,
  reporting_category: 'charge',
  amount_cents: 5000,
  fee_cents: 175,
  net_amount_cents: 4825,
  currency: 'usd',
  fee_details: [],
  exchange_rate: null,
  available_on: null,
  processor_transaction_id: null,
  processor_source_id: null,
  created_at: '2026-11-05T12:00:00.000Z',
  ...change,
});

beforeEach(() => {
  server.on(DONATION, () => jsonResponse(donation(1)));
  server.on(PAYOUT, () => jsonResponse(payout));
  server.on(`${PAYOUT}/transactions`, () => listResponse([part(2), part(1)]));
});
afterEach(() => document.documentElement.removeAttribute('dir'));

type Details = HTMLElementTagNameMap['connect-donation-details' | 'connect-payout-details'];
type Tag = 'connect-donation-details' | 'connect-payout-details';

const OWN_ID = { 'connect-donation-details': 'donation-id', 'connect-payout-details': 'payout-id' };

async function open<Name extends Tag>(tag: Name, attributes: Record<string, string> = {}) {
  const main = await fixture<HTMLElement>(html`<main></main>`);
  const element = document.createElement(tag);
  const id = tag === 'connect-payout-details' ? 'po_1' : 'don_1';
  const all = { server: SERVER, 'viewer-token': viewer, [OWN_ID[tag]]: id, ...attributes };
  for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
  main.append(element);
  await waitUntil(() => element.pages.status !== 'loading', 'read');
  await element.updateComplete;
  return element;
}

const rootOf = (element: Details) => element.shadowRoot!;
const text = (element: Details) => rootOf(element).textContent.replace(/\s+/g, ' ');

/** The displayed values by label. */
const fieldsOf = (element: Details) =>
  Object.fromEntries(
    [...rootOf(element).querySelectorAll('dt')].map((name) => [
      name.textContent.trim(),
      name.nextElementSibling!.textContent.replace(/\s+/g, ' ').trim(),
    ]),
  );

const partsOf = (element: Details) =>
  [...rootOf(element).querySelectorAll('tbody:not(.total) tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent.trim()),
  );

describe('<connect-donation-details>', () => {
  it('shows amounts, status, donor, fund, date and reference', async () => {
    server.on(DONATION, () =>
      jsonResponse(
        donation(1, {
          donor_email: 'ana@example.org',
          campaign_id: 'camp_winter',
          campaign_name: 'A Warm Winter',
        }),
      ),
    );
    const element = await open('connect-donation-details', { 'time-zone': 'UTC' });
    expect(fieldsOf(element)).to.deep.equal({
      Amount: '$50.00',
      Fee: '$2.00',
      Net: '$48.00',
      Refunded: '$0.00',
      Status: 'Paid',
      Type: 'One-time',
      Donor: 'Donor 1',
      Email: 'ana@example.org',
      Fund: 'Meals',
      Campaign: 'A Warm Winter',
      Date: 'Nov 20, 2026',
      Source: 'Donation form',
      Reference: 'K7QM-4XTZ',
    });
    expect(rootOf(element).querySelector('h2')).to.have.trimmed.text('Donation');
    expect(server.requestsTo(DONATION)[0]!.headers.get('authorization')).to.equal(
      'Bearer component_1',
    );
    expect(server.requestsTo('/component-sessions')[0]!.body).to.deep.equal({
      components: ['donations'],
    });
  });

  it('names the source in the language, and shows one that it does not know', async () => {
    for (const [source, language, label, name] of [
      ['api', 'en', 'Source', 'API'],
      ['import', 'de', 'Quelle', 'Importiert'],
      ['embed', 'ja', '経路', '寄付フォーム'],
      ['kiosk', 'en', 'Source', 'kiosk'],
    ] as const) {
      server.on(DONATION, () => jsonResponse(donation(1, { source })));
      const element = await open('connect-donation-details', { lang: language });
      await waitUntil(() => text(element).includes(label), 'translated');
      expect(fieldsOf(element)).to.include({ [label]: name });
    }
  });

  it('shows refund and dispute with the fee of each, and no fee that is unknown', async () => {
    const change = {
      recurring: true,
      refund_status: 'partial',
      refunded_amount_cents: 1000,
      disputed_amount_cents: 4000,
      dispute_status: 'open',
    } as const;
    const unknown = { fee_cents: null, net_amount_cents: null };
    server.on(DONATION, () => jsonResponse(donation(1, { ...change, ...unknown })));
    const element = await open('connect-donation-details');
    const fields = fieldsOf(element);
    expect(fields).to.include({
      Refunded: '$10.00',
      Disputed: '$40.00',
      Dispute: 'Disputed',
      Type: 'Recurring',
      Net: '—',
    });
    expect(fields).not.to.have.property('Fee');
    server.on(DONATION, () =>
      jsonResponse(donation(1, { ...change, fee_cents: 1700, dispute_fee_cents: 1500 })),
    );
    await element.refresh();
    await element.updateComplete;
    expect(fieldsOf(element)).to.include({ Fee: '$2.00', 'Dispute fee': '$15.00' });
  });

  it('shows fee and net of a donation in the currency in which it was settled', async () => {
    const foreign = {
      currency: 'eur',
      fee_cents: null,
      net_amount_cents: null,
      settlement_currency: 'usd',
      settlement_amount_cents: 5500,
      settlement_fee_cents: 190,
      settlement_net_cents: 5310,
      exchange_rate: 1.1,
    };
    server.on(DONATION, () => jsonResponse(donation(1, foreign)));
    const fields = fieldsOf(await open('connect-donation-details'));
    expect(fields).to.include({ Amount: '€50.00', Fee: '$1.90', Net: '$53.10' });
  });

  it('loads another donation when its id changes, and clears the previous one', async () => {
    const element = await open('connect-donation-details');
    server.on('/api/v1/donations/don_2', neverResolves);
    element.donationId = 'don_2';
    await element.updateComplete;
    expect(rootOf(element).querySelector('.skeleton')).to.not.equal(null);
    expect(text(element)).not.to.include('Donor 1');
    server.on('/api/v1/donations/don_3', () => jsonResponse(donation(3)));
    element.donationId = 'don_3';
    await waitUntil(() => text(element).includes('Donor 3'), 'the third');
    expect(server.requestsTo(DONATION)).to.have.length(1);
  });

  it('shows a hint and sends no request while no donation is selected', async () => {
    const element = await open('connect-donation-details', { 'donation-id': '' });
    expect(text(element)).to.include('Nothing selected');
    expect(server.requests).to.have.length(0);
    element.donationId = 'don_1';
    await waitUntil(() => text(element).includes('Donor 1'), 'the first');
  });

  it('reloads on refresh()', async () => {
    const element = await open('connect-donation-details');
    server.on(DONATION, () => jsonResponse(donation(1, { refund_status: 'full' })));
    await element.refresh();
    await element.updateComplete;
    expect(fieldsOf(element)['Status']).to.equal('Refunded');
  });

  it('dispatches connect-load-start, connect-ready and connect-load-error', async () => {
    const element = await open('connect-donation-details');
    const events: string[] = [];
    for (const what of ['load-start', 'ready', 'load-error']) {
      element.addEventListener(`connect-${what}`, () => events.push(what));
    }
    await element.refresh();
    server.on(DONATION, () => errorResponse('not_found'));
    setTimeout(() => void element.refresh());
    await oneEvent(element, 'connect-load-error');
    expect(events).to.deep.equal(['load-start', 'ready', 'load-start', 'load-error']);
  });

  it('omits fields that the session masks', async () => {
    server.on('/component-sessions', ({ body }) =>
      jsonResponse({ ...pageSession(body['components']), masks: ['emails'] }, 201),
    );
    server.on(DONATION, () => jsonResponse(donation(1, { donor_name: 'A. L.' })));
    const fields = fieldsOf(await open('connect-donation-details'));
    expect(fields).not.to.have.property('Email');
    expect(fields).to.include({ Donor: 'A. L.' });
  });
});

describe('<connect-payout-details>', () => {
  it('shows the payout with its donations, refunds and disputes', async () => {
    server.on(`${PAYOUT}/transactions`, () =>
      listResponse([
        part(3),
        part(2, {
          reporting_category: 'refund',
          amount_cents: -1000,
          fee_cents: 0,
          net_amount_cents: -1000,
        }),
        part(1, { reporting_category: 'dispute', donation_id: null }),
      ]),
    );
    const element = await open('connect-payout-details', { 'time-zone': 'UTC' });
    expect(fieldsOf(element)).to.deep.equal({
      Amount: '$1,234.56',
      Status: 'Paid',
      Arrives: 'Nov 9, 2026',
      Created: 'Nov 6, 2026',
      Description: 'Weekly payout',
      'Statement descriptor': 'HARBOR ST',
      Reference: 'po_1',
    });
    expect(partsOf(element)).to.deep.equal([
      ['Donation', 'Nov 5, 2026', '$50.00', '$1.75', '$48.25'],
      ['Refund', 'Nov 5, 2026', '-$10.00', '$0.00', '-$10.00'],
      ['Dispute', 'Nov 5, 2026', '$50.00', '$1.75', '$48.25'],
    ]);
    expect(rootOf(element).querySelectorAll('a')).to.have.length(0);
  });

  it('is shown only together with its donations, refunds and disputes', async () => {
    let respond = () => {};
    server.on(
      `${PAYOUT}/transactions`,
      () => new Promise<Response>((resolve) => (respond = () => resolve(listResponse([part(1)])))),
    );
    const main = await fixture<HTMLElement>(html`<main></main>`);
    const element = document.createElement('connect-payout-details');
    const all = { server: SERVER, 'viewer-token': viewer, 'payout-id': 'po_1' };
    for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
    main.append(element);
    await waitUntil(() => server.requestsTo(`${PAYOUT}/transactions`).length, 'requested');
    element.requestUpdate();
    await element.updateComplete;
    expect(rootOf(element).querySelector('dl.skeleton'), 'placeholders').to.exist;
    respond();
    await waitUntil(() => rootOf(element).querySelector('[part=transactions]'), 'transactions');
  });

  it('shows a sum row, and donor names if the session may read donations', async () => {
    server.on('/component-sessions', () =>
      jsonResponse(pageSession(['donations', 'payouts']), 201),
    );
    server.on(`${PAYOUT}/transactions`, () =>
      listResponse([part(2), part(1, { donation_id: null })]),
    );
    server.on('/api/v1/donations', ({ query }) =>
      listResponse(query.get('payout_id') === 'po_1' ? [donation(2, { donor_name: 'Ada' })] : []),
    );
    const element = await open('connect-payout-details');
    await waitUntil(() => text(element).includes('Ada'), 'a donor');
    expect(partsOf(element).map(([, donor]) => donor)).to.deep.equal(['Ada', '—']);
    const sum = [...rootOf(element).querySelectorAll('.total tr > *')].map((cell) =>
      cell.textContent.trim(),
    );
    expect(sum).to.deep.equal(['Total', '$100.00', '$3.50', '$96.50']);
  });

  it('loads only as many pages of donors as it shows donations', async () => {
    server.on('/component-sessions', () =>
      jsonResponse(pageSession(['donations', 'payouts']), 201),
    );
    server.on(`${PAYOUT}/transactions`, ({ query }) =>
      query.has('cursor') ? listResponse([part(3)]) : listResponse([part(1), part(2)], 'more'),
    );
    const cursors: (string | null)[] = [];
    server.on('/api/v1/donations', ({ query }) => {
      const cursor = query.get('cursor');
      cursors.push(cursor);
      const number = Number(cursor ?? 0) + 1;
      const next = number < 50 ? String(number) : null;
      return listResponse([donation(number, { donor_name: `Donor ${number}` })], next);
    });
    const element = await open('connect-payout-details');
    const donors = () => partsOf(element).map(([, donor]) => donor);
    await waitUntil(() => donors().join() === 'Donor 1,Donor 2', 'both donors');
    expect(cursors).to.deep.equal([null, '1']);
    rootOf(element).querySelector<HTMLElement>('.more button')!.click();
    await waitUntil(() => donors().join() === 'Donor 1,Donor 2,Donor 3', 'the third');
    expect(cursors).to.deep.equal([null, '1', '2']);
  });

  it('logs a hint if the session cannot read the donors’ names', async () => {
    const { info } = console;
    const infos: string[] = [];
    console.info = (line: string) => infos.push(line);
    server.on(`${PAYOUT}/transactions`, () => listResponse([part(2)]));
    await open('connect-payout-details');
    console.info = info;
    // The hint is logged once per page, possibly by an earlier test.
    for (const line of infos) expect(line).to.include('component "donations"');
    expect(server.requestsTo('/api/v1/donations')).to.have.length(0);
  });

  it('links donations to the URL in donation-link', async () => {
    server.on(`${PAYOUT}/transactions`, () =>
      listResponse([part(2), part(1, { donation_id: null })]),
    );
    const element = await open('connect-payout-details', { 'donation-link': '/gifts/{id}?x=1' });
    const links = [...rootOf(element).querySelectorAll('a')];
    expect(links.map(({ href }) => href)).to.deep.equal([`${location.origin}/gifts/don_2?x=1`]);
  });

  it('ignores a javascript: URL in donation-link and warns once', async () => {
    const { warn } = console;
    const warned: string[] = [];
    console.warn = (text: string) => warned.push(text);
    const element = await open('connect-payout-details', { 'donation-link': 'javascript:x({id})' });
    console.warn = warn;
    expect(rootOf(element).querySelectorAll('a')).to.have.length(0);
    expect(warned).to.have.length(1);
    expect(warned[0]).to.include('a URL that contains {id}');
  });

  it('loads more parts on a click, and retries after a failure', async () => {
    server.on(`${PAYOUT}/transactions`, ({ query }, times) => {
      if (!query.has('cursor')) return listResponse([part(3), part(2)], 'more');
      return times === 2 ? undefined : listResponse([part(1)]);
    });
    const element = await open('connect-payout-details');
    const clickButton = () =>
      rootOf(element).querySelector<HTMLElement>('button.secondary')!.click();
    clickButton();
    await waitUntil(() => rootOf(element).querySelector('[role=alert]'), 'a failure');
    expect(partsOf(element)).to.have.length(2);
    clickButton();
    await waitUntil(() => partsOf(element).length === 3, 'three parts');
    expect(rootOf(element).querySelector('button')).to.equal(null);
  });

  it('shows the payout and an error if its parts cannot be loaded', async () => {
    server.on(`${PAYOUT}/transactions`, () => undefined);
    const element = await open('connect-payout-details');
    expect(fieldsOf(element)['Amount']).to.equal('$1,234.56');
    expect(text(element)).to.include('Data could not be loaded');
  });

  it('shows a note if the processor has not reported the parts yet', async () => {
    server.on(`${PAYOUT}/transactions`, () => listResponse([]));
    const element = await open('connect-payout-details');
    expect(text(element)).to.include('has not listed all transactions of this payout yet');
  });
});

describe('details elements in a provider', () => {
  it('share its session with the tables, and are cleared on logout', async () => {
    server.on('/api/v1/donations', () => listResponse([donation(1)]));
    const provider = await fixture<HTMLElementTagNameMap['connect-provider']>(html`
      <connect-provider server=${SERVER} viewer-token=${viewer} locale="de" time-zone="UTC">
        <connect-donations refresh-seconds="0"></connect-donations>
        <connect-donation-details donation-id="don_1"></connect-donation-details>
        <connect-payout-details payout-id="po_1"></connect-payout-details>
      </connect-provider>
    `);
    const details = provider.querySelector('connect-donation-details')!;
    await waitUntil(() => text(details).includes('Spende'), 'German');
    await waitUntil(() => fieldsOf(details)['Gebühr'] === '2,00 $', 'in German');
    expect(server.requestsTo('/component-sessions').map(({ body }) => body)).to.deep.equal([
      { components: ['donations', 'payouts'] },
    ]);
    provider.logout();
    await waitUntil(() => rootOf(details).querySelector('[role=alert]'), 'signed out');
    expect(text(details)).not.to.include('Donor 1');
  });
});

/** The message for each type of error. */
const ERROR_MESSAGES = {
  not_found: 'Not found',
  insufficient_scope: 'You do not have access',
  unauthorized: 'Your session has expired',
  rate_limited: 'Too many requests',
  unavailable: 'Data could not be loaded',
} as const;

for (const tag of Object.keys(OWN_ID) as Tag[]) {
  for (const type of Object.keys(ERROR_MESSAGES) as (keyof typeof ERROR_MESSAGES)[]) {
    const message = ERROR_MESSAGES[type];
    it(`<${tag}> explains the error ${type}`, async () => {
      server.on(DONATION, () => errorResponse(type));
      server.on(PAYOUT, () => errorResponse(type));
      const main = await fixture<HTMLElement>(html`<main></main>`);
      const element = document.createElement(tag);
      const id = tag === 'connect-payout-details' ? 'po_1' : 'don_1';
      const all = { server: SERVER, 'viewer-token': viewer, [OWN_ID[tag]]: id };
      for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
      main.append(element);
      await waitUntil(() => text(element).includes(message), message);
    });
  }
}
