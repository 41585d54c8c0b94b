import type { Payout } from '@connect-embed/contract';
import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../define.ts';
import type { ConnectDonations } from '../connect-donations.ts';
import {
  donation,
  jsonResponse,
  pageSession,
  errorResponse,
  SERVER,
} from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import {
  DONATIONS,
  queryShadow,
  names,
  openTable,
  listResponse,
  rows,
  some,
  text,
  viewer,
} from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const open = () => openTable({ limit: '3' });

describe('the session of two tables', () => {
  it('stays shared by tables when the limit of one changes', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    const first = await openTable();
    first.limit = 10;
    await waitUntil(() => server.requestsTo(DONATIONS).length === 2, 'read with the new limit');
    await openTable();
    expect(server.requestsTo('/component-sessions')).to.have.length(1);
  });
});

describe('a table', () => {
  it('is a native table with a caption, column headers and row headers', async () => {
    server.on(DONATIONS, () => listResponse(some(3, 3)));
    const element = await open();
    expect(queryShadow(element, 'caption')).to.have.trimmed.text('Donations');
    expect(element.shadowRoot!.querySelectorAll('thead th[scope=col]')).to.have.length(5);
    expect(names(element)).to.deep.equal(['Donor 3', 'Donor 2', 'Donor 1']);
    expect(rows(element)[0]!.querySelector('.number')).to.have.text('$50.00');
    expect(server.requestsTo(DONATIONS)[0]!.headers.get('authorization')).to.equal(
      'Bearer component_1',
    );
    expect(server.requestsTo('/component-sessions')[0]!.headers.get('authorization')).to.equal(
      `Bearer ${viewer}`,
    );
  });

  it('keeps its table roles for screen readers in the card layout', async () => {
    server.on(DONATIONS, () => listResponse(some(3, 3)));
    const element = await open();
    element.style.inlineSize = '280px';
    const display = () => getComputedStyle(queryShadow(element, 'table')!).display;
    await waitUntil(() => display() === 'block', 'the card layout');
    expect(queryShadow(element, '.rows tr')!.getAttribute('role')).to.equal('row');
    expect(queryShadow(element, '.frame')!.scrollWidth).to.be.at.most(280);
    const label = () => getComputedStyle(queryShadow(element, '.rows td')!, '::before').content;
    await waitUntil(() => label().includes('Date'), 'a label');
    element.style.inlineSize = '800px';
    await waitUntil(() => label() === 'none', 'no label');
    expect(queryShadow(element, '.rows tr')!.offsetHeight).to.equal(44);
    element.style.inlineSize = '280px';
    await waitUntil(() => label().includes('Date'), 'a label again');
  });

  it('shows statuses as text', async () => {
    server.on(DONATIONS, () =>
      listResponse([
        donation(4, { refund_status: 'full', refunded_amount_cents: 5000 }),
        donation(3, { refund_status: 'partial', refunded_amount_cents: 1000 }),
        donation(2, { refund_status: 'partial', dispute_status: 'open' }),
        donation(1, { recurring: true, donor_name: null }),
      ]),
    );
    const element = await open();
    for (const status of ['Refunded', 'Partly refunded', 'Disputed', 'Recurring', 'Anonymous']) {
      expect(text(element)).to.include(status);
    }
  });

  it('loads the next page, and the focus stays on the button', async () => {
    server.on(DONATIONS, ({ query }) =>
      query.get('cursor') === 'two' ? listResponse(some(2, 2)) : listResponse(some(5, 3), 'two'),
    );
    const element = await open();
    queryShadow(element, '.more button')!.focus();
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => rows(element).length === 5, 'five rows');
    await waitUntil(() => text(element).includes('All 5 shown'));
    expect(element.shadowRoot!.activeElement).to.equal(queryShadow(element, '.more button'));
    await sendKeys({ press: 'Enter' });
    expect(server.requestsTo(DONATIONS)).to.have.length(2);
  });

  it('keeps its rows when the next page fails, and can retry', async () => {
    server.on(DONATIONS, ({ query }, times) =>
      query.has('cursor')
        ? times === 2
          ? undefined
          : listResponse(some(2, 2))
        : listResponse(some(5, 3), 'two'),
    );
    const element = await open();
    setTimeout(() => queryShadow(element, '.more button')!.click());
    await oneEvent(element, 'connect-load-error');
    await element.updateComplete;
    expect(rows(element)).to.have.length(3);
    expect(text(element)).to.include('Not up to date');
    queryShadow(element, '.more button')!.click();
    await waitUntil(() => rows(element).length === 5, 'five rows');
  });

  it('has the same height while it loads as with its rows', async () => {
    let respond!: (page: Response) => void;
    server.on(DONATIONS, () => new Promise<Response>((resolve) => (respond = resolve)));
    const element = await fixture<ConnectDonations>(html`
      <connect-donations server=${SERVER} limit="8" refresh-seconds="0"></connect-donations>
    `);
    await waitUntil(() => server.requestsTo(DONATIONS).length === 1);
    const height = element.offsetHeight;
    const outlines = element.shadowRoot!.querySelectorAll<HTMLElement>('.skeleton i');
    expect(outlines).to.have.length(40);
    for (const outline of outlines) {
      expect(outline.offsetWidth, 'an outline in every column').to.be.above(40);
    }
    setTimeout(() => respond(listResponse(some(8, 8), 'more')));
    await oneEvent(element, 'connect-ready');
    await element.updateComplete;
    expect(rows(element)).to.have.length(8);
    expect(element.offsetHeight).to.be.closeTo(height, 1);
  });

  it('shows a bank date as the same day in every time zone', async () => {
    const payout: Payout = {
      id: 'po_1',
      object: 'payout',
      amount_cents: 123_456,
      currency: 'usd',
      status: 'in_transit',
      arrival_date: '2026-11-09T00:00:00.000Z',
      created: '2026-11-01T00:00:00.000Z',
      description: null,
      statement_descriptor: 'HARBOR ST',
      automatic: true,
      trace_id: null,
      livemode: true,
    };
    server.on('/api/v1/payouts', () => listResponse([payout]));
    const element = await fixture(html`
      <connect-payouts server=${SERVER} viewer-token="p" refresh-seconds="0"></connect-payouts>
    `);
    await waitUntil(() => rows(element).length === 1);
    expect(text(element)).to.include('Nov 9, 2026');
    expect(text(element)).to.include('In transit');
  });

  it('says which donations are tests, in the language of the page and in rows of the same height', async () => {
    const change = { livemode: false, recurring: true, refund_status: 'partial' } as const;
    server.on(DONATIONS, () => listResponse([donation(2, change), donation(1)]));
    const section = await fixture(html`
      <div lang="de">
        <connect-donations server=${SERVER} viewer-token="de" refresh-seconds="0">
        </connect-donations>
      </div>
    `);
    const element = section.querySelector('connect-donations')!;
    await waitUntil(() => rows(element).length === 2);
    const [test, live] = rows(element);
    expect(test!.querySelector('.badge b')).to.have.text('Test');
    expect(live!.querySelector('.badge b')).to.equal(null);
    expect(test!.getBoundingClientRect().height).to.equal(live!.getBoundingClientRect().height);
  });

  it('formats dates and money in the page’s language', async () => {
    server.on(DONATIONS, () =>
      listResponse([donation(1, { currency: 'eur', amount_cents: 125_050 })]),
    );
    const section = await fixture(html`
      <div lang="de">
        <connect-donations server=${SERVER} viewer-token="de" refresh-seconds="0">
        </connect-donations>
      </div>
    `);
    const element = section.querySelector('connect-donations')!;
    await waitUntil(() => rows(element).length === 1);
    expect(text(element)).to.include('1.250,50 €');
    expect(text(element)).to.match(/20\.\D*11\.2026/);
  });

  it('warns of an invalid limit, and uses 25', async () => {
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (warning: string) => warnings.push(warning);
    const element = await fixture(html`
      <connect-donations server=${SERVER} viewer-token="l" limit="500"></connect-donations>
    `);
    await waitUntil(() => warnings.length > 0, 'a warning');
    console.warn = warn;
    expect(server.requestsTo(DONATIONS)[0]!.query.get('limit')).to.equal('25');
    expect(warnings.join()).to.include('limit="500": must be a whole number from 1 to 100');
    element.remove();
  });
});

describe('a table without rows', () => {
  it('shows the page’s own content in the empty slot', async () => {
    const element = await fixture<ConnectDonations>(html`
      <connect-donations server=${SERVER} viewer-token="e" refresh-seconds="0">
        <p slot="empty">Share your form to receive the first gift.</p>
      </connect-donations>
    `);
    await waitUntil(() => queryShadow(element, 'slot[name=empty]'));
    const slot = element.shadowRoot!.querySelector('slot')!;
    expect(slot.assignedElements()[0]).to.include.text('first gift');
  });

  for (const [type, says] of [
    ['forbidden', 'You do not have access'],
    ['unauthorized', 'You are not signed in'],
    ['unavailable', 'Data could not be loaded'],
  ] as const) {
    it(`has an error message for ${type}, and loads on retry`, async () => {
      server.on('/component-sessions', ({ body }, times) =>
        times === 1 ? errorResponse(type) : jsonResponse(pageSession(body['components']), 201),
      );
      server.on(DONATIONS, () => listResponse(some(1, 1)));
      const element = await open();
      expect(text(element)).to.include(says);
      queryShadow(element, '.message button')!.click();
      await waitUntil(() => rows(element).length === 1);
    });
  }
});

describe('tables of one page', () => {
  it('share one component session', async () => {
    await fixture(html`
      <div>
        <connect-donations server=${SERVER} viewer-token="all" refresh-seconds="0">
        </connect-donations>
        <connect-donors server=${SERVER} viewer-token="all" refresh-seconds="0"></connect-donors>
        <connect-payouts server=${SERVER} viewer-token="all" refresh-seconds="0"></connect-payouts>
      </div>
    `);
    await waitUntil(() => server.requestsTo('/api/v1/payouts').length === 1);
    await waitUntil(() => server.requestsTo('/api/v1/donors').length === 1);
    expect(server.requestsTo('/component-sessions').map(({ body }) => body)).to.deep.equal([
      { components: ['donations', 'donors', 'payouts'] },
    ]);
  });

  it('extend the session for a table that is added later', async () => {
    const section = await fixture(html`
      <div>
        <connect-donations server=${SERVER} viewer-token="later" refresh-seconds="0">
        </connect-donations>
      </div>
    `);
    await waitUntil(() => server.requestsTo(DONATIONS).length === 1);
    const later = document.createElement('connect-donors');
    Object.assign(later, { server: SERVER, viewerToken: 'later', refreshSeconds: 0 });
    section.append(later);
    await waitUntil(() => server.requestsTo('/api/v1/donors').length === 1);
    expect(server.requestsTo('/component-sessions')[1]!.body).to.deep.equal({
      components: ['donations', 'donors'],
    });
  });

  it('renew an expired session silently', async () => {
    server.on('/component-sessions', ({ body }, times) =>
      jsonResponse(pageSession(body['components'], `component_${times}`), 201),
    );
    server.on(DONATIONS, ({ headers }) =>
      headers.get('authorization') === 'Bearer component_2'
        ? listResponse(some(1, 1))
        : errorResponse('unauthorized'),
    );
    const element = await open();
    expect(rows(element)).to.have.length(1);
    expect(server.requestsTo('/component-sessions')).to.have.length(2);
  });

  it('load again for another viewer', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    const element = await open();
    element.viewerToken = 'somebody else';
    await waitUntil(() => server.requestsTo(DONATIONS).length === 2);
    expect(server.requestsTo('/component-sessions')[1]!.headers.get('authorization')).to.equal(
      'Bearer somebody else',
    );
  });
});
