import { expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import type { ConnectDonations } from '../connect-donations.ts';
import type { ConnectProvider } from '../connect-provider.ts';
import {
  donation,
  jsonResponse,
  neverResolves,
  pageSession,
  errorResponse,
  SERVER,
} from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import {
  DONATIONS,
  queryShadow,
  names,
  listResponse,
  openPanel,
  rows,
  some,
  text,
} from '../test-support/table.ts';
import { createViewerToken } from '../test-support/viewer-token.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const SESSIONS = '/component-sessions';
const HOUR = 3600;

let hour = 0;
/** A new viewer token for the same viewer, with a later expiry. */
const renewed = (claims: object = {}) =>
  createViewerToken({
    sub: 'Zoë@platform.example?>',
    exp: (hour += HOUR),
    jti: `${hour}`,
    ...claims,
  });

/** The viewer tokens of the requests that created component sessions. */
const authorizations = () =>
  server.requestsTo(SESSIONS).map(({ headers }) => headers.get('authorization'));
const readers = () =>
  server.requestsTo(DONATIONS).map(({ headers }) => headers.get('authorization'));

/** Each component session has another token; a test may change its organization. */
let organization_id: string;
beforeEach(() => {
  organization_id = 'org_harbor';
  server.on(SESSIONS, ({ body }, times) =>
    jsonResponse({ ...pageSession(body['components'], `session_${times}`), organization_id }, 201),
  );
  server.on(DONATIONS, () => listResponse(some(3, 3, { fund_id: 'fund_meals' })));
  const sums = { count: 3, gross_cents: 1, refunded_cents: 0, net_cents: 1, currency: 'usd' };
  server.on(`${DONATIONS}/summary`, () => jsonResponse({ data: [sums] }));
  server.on(`${DONATIONS}/don_3`, () => jsonResponse(donation(3)));
});

/** The number of donations in the totals; undefined if there are none. */
const countOf = (table: Element) => queryShadow(table, '.totals dd')?.textContent;

/** Whether two lists contain the same nodes. */
const same = (now: Element[], before: Element[]) =>
  now.length === before.length && now.every((row, index) => row === before[index]);

/** Opens a provider with a table, and waits until the table and its features have loaded. */
async function open(token: string) {
  const provider = await fixture<ConnectProvider>(html`
    <connect-provider server=${SERVER} viewer-token=${token}>
      <connect-donations refresh-seconds="0" tools="filters totals"></connect-donations>
    </connect-provider>
  `);
  const table = provider.querySelector('connect-donations')!;
  await whole(table);
  await openPanel(table);
  return { provider, table };
}

async function whole(table: ConnectDonations) {
  await waitUntil(() => table.features && rows(table).length, 'rows');
  await table.updateComplete;
}

/** Resolves before the next paint: nothing that was removed by then is visible. */
const nextFrame = () => new Promise(requestAnimationFrame);

describe('a renewed viewer token', () => {
  it('keeps rows, totals, details and focus, and is used for later requests', async () => {
    const { provider, table } = await open(renewed());
    const events: string[] = [];
    provider.addEventListener('connect-session-refreshed', () => events.push('refreshed'));
    table.addEventListener('connect-load-start', () => events.push('read'));
    await waitUntil(() => countOf(table) === '3', 'sums');
    const before = rows(table);
    queryShadow(table, '.open')!.click();
    await waitUntil(() => queryShadow(table, 'dialog'), 'details');
    const dialog = queryShadow(table, 'dialog')!;
    const focused = table.shadowRoot!.activeElement;

    const token = renewed();
    provider.setAttribute('viewer-token', token);
    await waitUntil(() => events.length, 'renewed');
    await nextFrame();
    expect(same(rows(table), before), 'rows').to.equal(true);
    expect(queryShadow(table, 'dialog') === dialog, 'details').to.equal(true);
    expect(table.shadowRoot!.activeElement === focused, 'focus').to.equal(true);
    expect(countOf(table)).to.equal('3');
    expect(authorizations()).to.have.length(2);
    expect(authorizations()[1]).to.equal(`Bearer ${token}`);
    await table.refresh();
    expect(readers().at(-1)).to.equal('Bearer session_2');
    expect(events).to.deep.equal(['refreshed', 'read']);
  });

  it('renews the one session that tables without a provider share', async () => {
    const first = renewed();
    const section = await fixture(html`
      <div>
        ${[1, 2].map(
          () => html`
            <connect-donations server=${SERVER} viewer-token=${first} refresh-seconds="0">
            </connect-donations>
          `,
        )}
      </div>
    `);
    const tables = [...section.querySelectorAll('connect-donations')];
    for (const table of tables) await whole(table);
    const before = tables.map((table) => rows(table));
    const token = renewed();
    for (const table of tables) {
      table.setAttribute('viewer-token', token);
      await table.updateComplete;
      for (const one of tables) one.requestUpdate(); // The other table still has the previous token.
      await Promise.all(tables.map((one) => one.updateComplete));
    }
    await waitUntil(() => authorizations().length === 2, 'renewed');
    for (const table of tables) await table.refresh();
    expect(tables.every((table, index) => same(rows(table), before[index]!))).to.equal(true);
    expect(authorizations()).to.deep.equal([`Bearer ${first}`, `Bearer ${token}`]);
    expect(readers().slice(-2)).to.deep.equal(['Bearer session_2', 'Bearer session_2']);
  });

  it('keeps the resource of a details element', async () => {
    const element = document.createElement('connect-donation-details');
    Object.assign(element, { server: SERVER, viewerToken: renewed(), donationId: 'don_3' });
    (await fixture(html`<main></main>`)).append(element);
    await waitUntil(() => text(element).includes('Donor 3'), 'the record');
    element.viewerToken = renewed();
    await element.updateComplete;
    expect(text(element)).to.include('Donor 3');
    await waitUntil(() => authorizations().length === 2, 'renewed');
    expect(server.requestsTo(`${DONATIONS}/don_3`)).to.have.length(1);
  });

  it('loads rows that could not be loaded with the expired token', async () => {
    server.on(SESSIONS, ({ body }, times) =>
      times === 2
        ? errorResponse('unauthorized')
        : jsonResponse(pageSession(body['components']), 201),
    );
    const { provider, table } = await open(renewed());
    server.on(DONATIONS, (_, times) =>
      times === 2 ? errorResponse('unauthorized') : listResponse(some(2, 2)),
    );
    await table.refresh();
    await waitUntil(() => queryShadow(table, '[role=alert]'), 'ended');
    provider.setAttribute('viewer-token', renewed());
    await waitUntil(() => rows(table).length === 2, 'rows again');
  });

  it('clears the table if the host refuses the viewer', async () => {
    const { provider, table } = await open(renewed());
    server.on(SESSIONS, () => errorResponse('forbidden'));
    provider.setAttribute('viewer-token', renewed());
    await waitUntil(() => queryShadow(table, '[role=alert]'), 'refused');
    expect(rows(table)).to.have.length(0);
  });

  it('clears the table if the session is of another organization, even for the same viewer', async () => {
    const { provider, table } = await open(renewed());
    organization_id = 'org_tide';
    let respond = () => {};
    server.on(DONATIONS, async () => {
      await new Promise<void>((resolve) => (respond = resolve));
      return listResponse([]);
    });
    provider.setAttribute('viewer-token', renewed());
    await waitUntil(() => queryShadow(table, '.skeleton'), 'cleared before anything is loaded');
    expect(countOf(table)).to.equal(undefined);
    respond();
    await waitUntil(() => text(table).includes('No donations yet'), 'the rows of the new viewer');
    expect(rows(table)).to.have.length(0);
  });
});

describe('a table is cleared immediately', () => {
  const cases: Readonly<Record<string, (provider: ConnectProvider) => void>> = {
    'by a token for another organization': (provider) =>
      provider.setAttribute('viewer-token', renewed({ organization: 'org_tide' })),
    'by a token of another viewer': (provider) =>
      provider.setAttribute('viewer-token', renewed({ sub: 'somebody else' })),
    'by a token that only its server can decode': (provider) =>
      provider.setAttribute('viewer-token', 'opaque'),
    'by a token without expiration': (provider) =>
      provider.setAttribute('viewer-token', renewed({ exp: undefined })),
    'by another server': (provider) => provider.setAttribute('server', `${SERVER}/other`),
    'when the token is removed': (provider) => provider.removeAttribute('viewer-token'),
    'when the viewer signs out': (provider) => provider.logout(),
  };
  for (const [description, act] of Object.entries(cases)) {
    it(`${description}, with its details, totals and filters`, async () => {
      const { provider, table } = await open(renewed());
      await waitUntil(() => countOf(table) === '3', 'sums');
      queryShadow(table, '.open')!.click();
      await waitUntil(() => queryShadow(table, 'dialog'), 'details');
      expect(!!queryShadow(table, 'option[value=fund_meals]')).to.equal(true);
      server.on(SESSIONS, neverResolves);
      server.on('/other/component-sessions', neverResolves);
      act(provider);
      await nextFrame();
      expect(rows(table)).to.have.length(0);
      expect(!!queryShadow(table, 'dialog'), 'details').to.equal(false);
      expect(countOf(table)).to.equal(undefined);
      expect(!!queryShadow(table, 'option[value=fund_meals]'), 'their funds').to.equal(false);
    });
  }

  it('on logout, and loads again with a later token', async () => {
    const { provider, table } = await open(renewed());
    provider.logout();
    await waitUntil(() => queryShadow(table, '[role=alert]'), 'signed out');
    provider.setAttribute('viewer-token', renewed());
    await waitUntil(() => names(table).length === 3, 'rows');
    expect(readers()).to.deep.equal(['Bearer session_1', 'Bearer session_2']);
  });
});
