import { expect, fixture, html } from '@open-wc/testing';
import type { Donor } from '@connect-embed/contract';
import '../define.ts';
import { FakeStreams } from '../test-support/live.ts';
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
  openWholeTable,
  listResponse,
  rows,
  text,
  untilAnotherPolls,
  viewer,
} from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

let streams: FakeStreams;
beforeEach(() => (streams = new FakeStreams(server)));

/** Creation time of the donation with this number; larger numbers are later. */
const at = (number: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, number)).toISOString();
const createDonation = (number: number, change = {}) =>
  donation(number, { created_at: at(number), ...change });
const createDonations = (from: number, count: number, change = {}) =>
  Array.from({ length: count }, (_, index) => createDonation(from - index, change));

/** Opens a live table, and waits until its stream is open and the first page was reloaded. */
async function openLive(attributes: Record<string, string> = {}) {
  const element = await openWholeTable({ live: '', ...attributes });
  await waitUntil(() => streams.opened.length === 1, 'a stream is requested');
  const reads = server.requestsTo(DONATIONS).length;
  streams.latest.open();
  await waitUntil(
    () => server.requestsTo(DONATIONS).length === reads + 1,
    'what was missed is read',
  );
  await element.updateComplete;
  return element;
}

const status = (element: Element) => queryShadow(element, '[role=status]')!.textContent;
const redrawn = (element: Element, what: string, holds: () => boolean) =>
  waitUntil(() => holds(), `${what}: ${text(element).slice(0, 300)}`);

function hide(hidden: boolean) {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}
afterEach(() => {
  Reflect.deleteProperty(document, 'hidden');
});

describe('a live table', () => {
  it('adds a new donation on top, announces it, and keeps the focus', async () => {
    server.on(DONATIONS, () => listResponse(createDonations(3, 3)));
    const element = await openLive();
    const open = rows(element)[1]!.querySelector<HTMLElement>('.open')!;
    open.focus();
    const row = rows(element)[1];
    const top = row!.getBoundingClientRect().top + scrollY;
    streams.latest.send('donation', createDonation(4));
    await redrawn(element, 'the donation is shown', () => names(element)[0] === 'Donor 4');
    expect(names(element)).to.deep.equal(['Donor 4', 'Donor 3', 'Donor 2', 'Donor 1']);
    expect(rows(element)[2]).to.equal(row);
    expect(element.shadowRoot!.activeElement).to.equal(open);
    expect(row!.getBoundingClientRect().top + scrollY).to.be.greaterThan(top);
    await redrawn(element, 'it is announced', () => status(element) === 'New donations: 1');
  });

  it('shows a refund in its row, and keeps the row', async () => {
    server.on(DONATIONS, () => listResponse(createDonations(3, 3)));
    const element = await openLive();
    const [, row] = rows(element);
    const refund = { refund_status: 'full', refunded_amount_cents: 5000 } as const;
    streams.latest.send('donation', createDonation(2, refund));
    await redrawn(element, 'the refund is shown', () => text(element).includes('Refunded'));
    expect(rows(element)[1]).to.equal(row);
    expect(rows(element)).to.have.length(3);
    expect(status(element)).to.equal('');
  });

  it('announces several donations at once, and then nothing for a while', async () => {
    server.on(DONATIONS, () => listResponse(createDonations(1, 1)));
    const element = await openLive();
    const announcements: string[] = [];
    const watch = new MutationObserver(() => announcements.push(status(element)!));
    watch.observe(queryShadow(element, '[role=status]')!, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    for (const one of createDonations(4, 3)) streams.latest.send('donation', one);
    await redrawn(element, 'the donations are shown', () => rows(element).length === 4);
    for (const one of createDonations(9, 5)) streams.latest.send('donation', one);
    await redrawn(element, 'more donations are shown', () => rows(element).length === 9);
    await element.updateComplete;
    watch.disconnect();
    expect(announcements).to.deep.equal(['New donations: 3']);
  });

  it('adds only rows that match its filters, and removes rows that no longer match', async () => {
    server.on(DONATIONS, () => listResponse(createDonations(2, 2, { fund_id: 'fund_meals' })));
    const element = await openWholeTable({ 'refresh-seconds': '0' });
    element.defaultFilters = { fund_id: 'fund_meals', refund_status: 'none' };
    element.pages.query = element.defaultFilters;
    element.live = true;
    await waitUntil(() => streams.opened.length === 1);
    streams.latest.open();
    streams.latest.send('donation', createDonation(5, { fund_id: 'fund_roof' }));
    streams.latest.send('donation', createDonation(6, { fund_id: 'fund_meals', recurring: true }));
    streams.latest.send(
      'donation',
      createDonation(2, { fund_id: 'fund_meals', refund_status: 'full' }),
    );
    await redrawn(element, 'what fits is shown', () => names(element).includes('Donor 6'));
    expect(names(element)).to.deep.equal(['Donor 6', 'Donor 1']);
  });

  it('does not move the rows of a later page', async () => {
    server.on(DONATIONS, () => listResponse(createDonations(6, 6)));
    const element = await openLive({ paging: 'pages', limit: '2' });
    const clickButton = (index: number) =>
      element.shadowRoot!.querySelectorAll<HTMLElement>('.pager button')[index]!.click();
    clickButton(1);
    await redrawn(element, 'the second page is shown', () => names(element)[0] === 'Donor 4');
    streams.latest.send('donation', createDonation(7));
    await redrawn(element, 'it is announced', () => status(element) === 'New donations: 1');
    expect(names(element)).to.deep.equal(['Donor 4', 'Donor 3']);
    clickButton(0);
    await redrawn(element, 'the page before is shown', () => names(element)[0] === 'Donor 6');
    clickButton(0);
    await redrawn(element, 'the first page is shown', () => names(element)[0] === 'Donor 7');
    expect(names(element)).to.deep.equal(['Donor 7', 'Donor 6']);
  });

  it('ignores changes of rows that are not loaded', async () => {
    server.on(DONATIONS, () => listResponse(createDonations(9, 3), 'more'));
    const element = await openLive();
    streams.latest.send('donation', createDonation(2, { refund_status: 'full' }));
    streams.latest.send('donation', createDonation(10));
    await redrawn(element, 'the new one is shown', () => names(element)[0] === 'Donor 10');
    expect(names(element)).to.deep.equal(['Donor 10', 'Donor 9', 'Donor 8', 'Donor 7']);
  });

  it('does not poll while the stream is open', async () => {
    server.on(DONATIONS, () => listResponse(createDonations(1, 1)));
    await openLive({ 'refresh-seconds': '0.05' });
    const reads = server.requestsTo(DONATIONS).length;
    streams.latest.send('donation', createDonation(2));
    await untilAnotherPolls(0.05);
    expect(server.requestsTo(DONATIONS).length).to.equal(reads);
  });
});

describe('a live stream', () => {
  it('resumes after the last event, without loading rows again', async () => {
    server.on(DONATIONS, () => listResponse(createDonations(1, 1)));
    const element = await openLive();
    streams.latest.send('donation', createDonation(2));
    await redrawn(element, 'the donation is shown', () => rows(element).length === 2);
    const reads = server.requestsTo(DONATIONS).length;
    streams.latest.disconnect();
    await waitUntil(() => streams.opened.length === 2, 'it is requested again');
    expect(streams.latest.lastEventId).to.equal('2');
    streams.latest.open(true);
    streams.latest.send('donation', createDonation(3));
    streams.latest.send('donation', createDonation(2));
    await redrawn(element, 'the next donation is shown', () => rows(element).length === 3);
    expect(names(element)).to.deep.equal(['Donor 3', 'Donor 2', 'Donor 1']);
    expect(server.requestsTo(DONATIONS).length).to.equal(reads);
  });

  it('stores the event id of a heartbeat', async () => {
    server.on(DONATIONS, () => listResponse(createDonations(1, 1)));
    await openLive();
    streams.latest.write('id: 77\nevent: beat\ndata: {}\n\n');
    streams.latest.end('stopping');
    await waitUntil(() => streams.opened.length === 2, 'it is requested again');
    expect(streams.latest.lastEventId).to.equal('77');
  });

  it('reloads the rows on a reset event', async () => {
    server.on(DONATIONS, () => listResponse(createDonations(1, 1)));
    const element = await openLive();
    server.on(DONATIONS, () => listResponse(createDonations(3, 3)));
    streams.latest.send('reset', {});
    await redrawn(element, 'the rows are there', () => rows(element).length === 3);
  });

  it('reconnects with a new token when the old one has expired', async () => {
    let minted = 0;
    server.on('/component-sessions', ({ body }) => {
      minted += 1;
      return jsonResponse(pageSession(body['components'], `component_${minted}`), 201);
    });
    server.on(DONATIONS, () => listResponse(createDonations(1, 1)));
    await openLive();
    expect(streams.latest.authorization).to.equal('Bearer component_1');
    streams.override = () => {
      streams.override = undefined;
      return errorResponse('unauthorized', 'The token is not valid.');
    };
    streams.latest.end('expired');
    await waitUntil(() => streams.opened.length === 2, 'it is requested again');
    expect(streams.latest.authorization).to.equal('Bearer component_2');
    expect(streams.latest.lastEventId).to.equal('1');
  });

  it('is shared by all tables of a provider', async () => {
    for (const list of ['donations', 'payouts'])
      server.on(`/api/v1/${list}`, () => listResponse([]));
    await fixture(
      html`<connect-provider server=${SERVER} viewer-token=${viewer}>
        <connect-donations live></connect-donations>
        <connect-payouts live></connect-payouts>
      </connect-provider>`,
    );
    await waitUntil(
      () => streams.opened.some(({ components }) => components === 'donations,payouts'),
      'both are requested at once',
    );
    expect(streams.opened.filter(({ closed }) => !closed)).to.have.length(1);
  });

  it('is closed while the page is hidden, and when the table is removed', async () => {
    server.on(DONATIONS, () => listResponse(createDonations(1, 1)));
    const element = await openLive();
    hide(true);
    await waitUntil(() => streams.latest.closed, 'it is let go');
    hide(false);
    await waitUntil(() => streams.opened.length === 2, 'it is requested again');
    expect(streams.latest.lastEventId).to.equal('1');
    element.remove();
    await waitUntil(() => streams.latest.closed, 'it is let go for good');
  });

  for (const [description, response] of [
    ['a server without live updates', () => errorResponse('not_found', 'No GET /live here.')],
    ['a server without free streams', () => errorResponse('unavailable', 'Later.')],
  ] as const) {
    it(`is replaced by polling: ${description}`, async () => {
      streams.override = response;
      server.on(DONATIONS, () => listResponse(createDonations(1, 1)));
      const element = await openWholeTable({ live: '', 'refresh-seconds': '0.05' });
      await waitUntil(() => server.requestsTo('/api/v1/live').length > 0, 'it is tried');
      server.on(DONATIONS, () => listResponse(createDonations(2, 2)));
      await redrawn(element, 'the new donation is shown', () => rows(element).length === 2);
    });
  }
});

describe('a table whose session masks fields', () => {
  const donor: Donor = {
    ...{ id: 'dnr_1', object: 'donor', email: null, first_name: 'A.', last_name: 'L.' },
    ...{ phone: null, city: null, state: null, postal_code: null, country: null },
    ...{ source: 'embed', created_at: at(1), updated_at: at(1) },
  };

  it('shows initials, and no columns that are fully masked', async () => {
    server.on('/component-sessions', ({ body }) =>
      jsonResponse(
        { ...pageSession(body['components']), masks: ['names', 'emails', 'addresses'] },
        201,
      ),
    );
    server.on('/api/v1/donors', () => listResponse([donor]));
    const element = await fixture<HTMLElement>(
      html`<connect-donors server=${SERVER} viewer-token=${viewer}></connect-donors>`,
    );
    await waitUntil(() => rows(element).length === 1 && names(element)[0] === 'A. L.');
    const heads = [...element.shadowRoot!.querySelectorAll('thead th')];
    expect(heads.map((head) => head.textContent.trim())).to.deep.equal(['Name', 'Since']);
  });
});
