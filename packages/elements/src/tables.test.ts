import type { Donation, Payout } from '@connect-embed/contract';
import { aTimeout, expect, fixture, html, oneEvent, waitUntil } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import './define.ts';
import type { ConnectDonations } from './connect-donations.ts';
import { donation, FakeServer, json, pageSession, problem, SERVER } from './test-support/server.ts';

let server: FakeServer;
let viewer = 0;

beforeEach(() => {
  server = new FakeServer();
  viewer += 1; // A viewer's session is shared by the page: every test has a viewer of its own.
});
afterEach(() => server.restore());

const DONATIONS = '/api/v1/donations';
const page = (data: unknown[], next_cursor: string | null = null) =>
  json({ data, has_more: next_cursor !== null, next_cursor });
const some = (from: number, count: number, change: Partial<Donation> = {}) =>
  Array.from({ length: count }, (_, index) => donation(from - index, change));

async function open(refreshSeconds = 0): Promise<ConnectDonations> {
  const element = await fixture<ConnectDonations>(html`
    <connect-donations
      server=${SERVER}
      viewer-token="viewer_${viewer}"
      limit="3"
      refresh-seconds=${refreshSeconds}
    ></connect-donations>
  `);
  await waitUntil(() => !inside(element, '.blank'), 'drawn');
  await element.updateComplete;
  return element;
}

const inside = (element: Element, selector: string) =>
  element.shadowRoot!.querySelector<HTMLElement>(selector);
const rows = (element: Element) => [...element.shadowRoot!.querySelectorAll('.rows tr')];
const names = (element: Element) =>
  rows(element).map((row) => row.querySelector('th')!.textContent.trim());
const text = (element: Element) => element.shadowRoot!.textContent.replace(/\s+/g, ' ');

describe('a table', () => {
  it('is a native one, with a caption and named columns and rows', async () => {
    server.on(DONATIONS, () => page(some(3, 3)));
    const element = await open();
    expect(inside(element, 'caption')).to.have.trimmed.text('Donations');
    expect(element.shadowRoot!.querySelectorAll('thead th[scope=col]')).to.have.length(5);
    expect(names(element)).to.deep.equal(['Donor 3', 'Donor 2', 'Donor 1']);
    expect(rows(element)[0]!.querySelector('.number')).to.have.text('$50.00');
    expect(server.to(DONATIONS)[0]!.headers.get('authorization')).to.equal('Bearer component_1');
    expect(server.to('/component-sessions')[0]!.headers.get('authorization')).to.equal(
      `Bearer viewer_${viewer}`,
    );
    await expect(element).to.be.accessible();
  });

  it('keeps its rows and columns for a reader when it is laid out as cards', async () => {
    server.on(DONATIONS, () => page(some(3, 3)));
    const element = await open();
    element.style.inlineSize = '280px';
    await aTimeout(50);
    expect(inside(element, '.rows tr')!.getAttribute('role')).to.equal('row');
    expect(getComputedStyle(inside(element, 'table')!).display).to.equal('block');
    expect(inside(element, '.frame')!.scrollWidth).to.be.at.most(280);
    await expect(element).to.be.accessible();
  });

  it('says a status in words', async () => {
    server.on(DONATIONS, () =>
      page([
        donation(4, { refund_status: 'full', refunded_amount_cents: 5000 }),
        donation(3, { refund_status: 'partial', refunded_amount_cents: 1000 }),
        donation(2, { refund_status: 'partial', dispute_status: 'open' }),
        donation(1, { recurring: true, donor_name: null }),
      ]),
    );
    const element = await open();
    for (const status of ['Refunded', '$10 refunded', 'Disputed', 'Recurring', 'Anonymous']) {
      expect(text(element)).to.include(status);
    }
  });

  it('reads the next page, and the focus stays on the button', async () => {
    server.on(DONATIONS, ({ query }) =>
      query.get('cursor') === 'two' ? page(some(2, 2)) : page(some(5, 3), 'two'),
    );
    const element = await open();
    inside(element, '.more button')!.focus();
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => rows(element).length === 5, 'five rows');
    await waitUntil(() => text(element).includes('All 5 shown'));
    expect(element.shadowRoot!.activeElement).to.equal(inside(element, '.more button'));
    await sendKeys({ press: 'Enter' });
    expect(server.to(DONATIONS)).to.have.length(2);
    await expect(element).to.be.accessible();
  });

  it('keeps its rows when the next page fails, and tries again', async () => {
    server.on(DONATIONS, ({ query }, times) =>
      query.has('cursor') ? (times === 2 ? undefined : page(some(2, 2))) : page(some(5, 3), 'two'),
    );
    const element = await open();
    setTimeout(() => inside(element, '.more button')!.click());
    await oneEvent(element, 'connect-loaderror');
    await element.updateComplete;
    expect(rows(element)).to.have.length(3);
    expect(text(element)).to.include('Not up to date');
    inside(element, '.more button')!.click();
    await waitUntil(() => rows(element).length === 5, 'five rows');
  });

  it('stands as high while it loads as with its rows', async () => {
    let answer!: (page: Response) => void;
    server.on(DONATIONS, () => new Promise<Response>((resolve) => (answer = resolve)));
    const element = await fixture<ConnectDonations>(html`
      <connect-donations server=${SERVER} limit="8" refresh-seconds="0"></connect-donations>
    `);
    await waitUntil(() => server.to(DONATIONS).length === 1);
    const height = element.offsetHeight;
    await expect(element).to.be.accessible();
    setTimeout(() => answer(page(some(8, 8), 'more')));
    await oneEvent(element, 'connect-ready');
    await element.updateComplete;
    expect(rows(element)).to.have.length(8);
    expect(element.offsetHeight).to.be.closeTo(height, 1);
  });

  it('shows a bank’s day as the same day in every zone', async () => {
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
    };
    server.on('/api/v1/payouts', () => page([payout]));
    const element = await fixture(html`
      <connect-payouts server=${SERVER} viewer-token="p" refresh-seconds="0"></connect-payouts>
    `);
    await waitUntil(() => rows(element).length === 1);
    expect(text(element)).to.include('Nov 9, 2026');
    expect(text(element)).to.include('In transit');
    await expect(element).to.be.accessible();
  });

  it('writes dates and money as the page’s language does', async () => {
    server.on(DONATIONS, () => page([donation(1, { currency: 'eur', amount_cents: 125_050 })]));
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

  it('warns of a limit that the API does not take, and shows 25', async () => {
    const { warn } = console;
    const said: string[] = [];
    console.warn = (warning: string) => said.push(warning);
    const element = await fixture(html`
      <connect-donations server=${SERVER} viewer-token="l" limit="500"></connect-donations>
    `);
    await waitUntil(() => server.to(DONATIONS).length === 1);
    console.warn = warn;
    expect(server.to(DONATIONS)[0]!.query.get('limit')).to.equal('25');
    expect(said.join()).to.include('limit="500": must be a whole number from 1 to 100');
    element.remove();
  });
});

describe('a table without rows', () => {
  it('is empty in the page’s own words', async () => {
    const element = await fixture<ConnectDonations>(html`
      <connect-donations server=${SERVER} viewer-token="e" refresh-seconds="0">
        <p slot="empty">Share your form to receive the first gift.</p>
      </connect-donations>
    `);
    await waitUntil(() => inside(element, 'slot[name=empty]'));
    const slot = element.shadowRoot!.querySelector('slot')!;
    expect(slot.assignedElements()[0]).to.include.text('first gift');
    await expect(element).to.be.accessible();
  });

  for (const [type, says] of [
    ['forbidden', 'You may not see this'],
    ['unauthorized', 'Your sign-in has ended'],
    ['unavailable', 'This could not be loaded'],
  ] as const) {
    it(`has a face for ${type}, and loads when asked again`, async () => {
      server.on('/component-sessions', ({ body }, times) =>
        times === 1 ? problem(type) : json(pageSession(body['components']), 201),
      );
      server.on(DONATIONS, () => page(some(1, 1)));
      const element = await open();
      expect(text(element)).to.include(says);
      await expect(element).to.be.accessible();
      inside(element, '.message button')!.click();
      await waitUntil(() => rows(element).length === 1);
    });
  }
});

describe('tables of one page', () => {
  it('share one session', async () => {
    const section = await fixture(html`
      <div>
        <connect-donations server=${SERVER} viewer-token="all" refresh-seconds="0">
        </connect-donations>
        <connect-donors server=${SERVER} viewer-token="all" refresh-seconds="0"></connect-donors>
        <connect-payouts server=${SERVER} viewer-token="all" refresh-seconds="0"></connect-payouts>
      </div>
    `);
    await waitUntil(() => server.to('/api/v1/payouts').length === 1);
    await waitUntil(() => server.to('/api/v1/donors').length === 1);
    expect(server.to('/component-sessions').map(({ body }) => body)).to.deep.equal([
      { components: ['donations', 'donors', 'payouts'] },
    ]);
    await expect(section).to.be.accessible();
  });

  it('widen it for one that comes later', async () => {
    const section = await fixture(html`
      <div>
        <connect-donations server=${SERVER} viewer-token="later" refresh-seconds="0">
        </connect-donations>
      </div>
    `);
    await waitUntil(() => server.to(DONATIONS).length === 1);
    const later = document.createElement('connect-donors');
    Object.assign(later, { server: SERVER, viewerToken: 'later', refreshSeconds: 0 });
    section.append(later);
    await waitUntil(() => server.to('/api/v1/donors').length === 1);
    expect(server.to('/component-sessions')[1]!.body).to.deep.equal({
      components: ['donations', 'donors'],
    });
  });

  it('renew it silently when it has ended', async () => {
    server.on('/component-sessions', ({ body }, times) =>
      json(pageSession(body['components'], `component_${times}`), 201),
    );
    server.on(DONATIONS, ({ headers }) =>
      headers.get('authorization') === 'Bearer component_2'
        ? page(some(1, 1))
        : problem('unauthorized'),
    );
    const element = await open();
    expect(rows(element)).to.have.length(1);
    expect(server.to('/component-sessions')).to.have.length(2);
  });

  it('start anew for another viewer', async () => {
    server.on(DONATIONS, () => page(some(1, 1)));
    const element = await open();
    element.viewerToken = 'somebody else';
    await waitUntil(() => server.to(DONATIONS).length === 2);
    expect(server.to('/component-sessions')[1]!.headers.get('authorization')).to.equal(
      'Bearer somebody else',
    );
  });
});

describe('a table that is looked at', () => {
  it('shows new rows on top, tells of them, and keeps the nodes of the others', async () => {
    server.on(DONATIONS, (_, times) => page(times === 1 ? some(3, 3) : some(4, 3), 'more'));
    const element = await open(0.2);
    const [first] = rows(element);
    await waitUntil(() => rows(element).length === 4, 'four rows');
    expect(names(element)[0]).to.equal('Donor 4');
    expect(rows(element)[1]).to.equal(first);
    expect(inside(element, '[role=status]')).to.have.text('1 new in donations');
  });

  it('shows what became of a row', async () => {
    server.on(DONATIONS, (_, times) =>
      page(some(2, 2, times === 1 ? {} : { dispute_status: 'lost' })),
    );
    const element = await open(0.2);
    expect(text(element)).to.include('Received');
    await waitUntil(() => text(element).includes('Dispute lost'), 'new status');
  });

  it('begins anew when more has come than a page holds', async () => {
    server.on(DONATIONS, (_, times) => page(times === 1 ? some(3, 3) : some(9, 3), 'more'));
    const element = await open(0.2);
    await waitUntil(() => names(element)[0] === 'Donor 9', 'new page');
    expect(rows(element)).to.have.length(3);
  });

  it('keeps its rows through failures, and asks less often', async () => {
    server.on(DONATIONS, (_, times) => (times === 1 ? page(some(1, 1)) : undefined));
    const element = await open(0.1);
    await waitUntil(() => text(element).includes('Not up to date'), 'stale');
    expect(rows(element)).to.have.length(1);
    await aTimeout(700);
    expect(server.to(DONATIONS).length).to.be.at.most(4);
  });

  it('rests when it is taken away', async () => {
    server.on(DONATIONS, () => page(some(1, 1)));
    const element = await open(0.1);
    await waitUntil(() => server.to(DONATIONS).length > 1);
    element.remove();
    const asked = server.to(DONATIONS).length;
    await aTimeout(400);
    expect(server.to(DONATIONS)).to.have.length(asked);
  });

  it('is read again on request', async () => {
    server.on(DONATIONS, (_, times) => page(some(times, 1)));
    const element = await open();
    await element.refresh();
    await element.updateComplete;
    expect(names(element)).to.deep.equal(['Donor 2']);
  });
});
