import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import '../define.ts';
import type { ConnectDonations } from '../connect-donations.ts';
import type { ConnectProvider } from '../connect-provider.ts';
import { createPageState } from '../shared/page-state.ts';
import {
  donation,
  FakeServer,
  jsonResponse,
  pageSession,
  errorResponse,
  SERVER,
} from '../test-support/server.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const HOUR_MS = 3_600_000;
const DONATIONS = '/api/v1/donations';
const share = createPageState()!;
const { now } = Date;
let server: FakeServer;

beforeEach(() => {
  server = new FakeServer();
  const data = [donation(1)];
  server.on(DONATIONS, () => jsonResponse({ data, has_more: false, next_cursor: null }));
});
afterEach(() => {
  server.restore();
  Date.now = now;
});

const rows = (table: Element) => table.shadowRoot!.querySelectorAll('.rows tr').length;

describe('a component session', () => {
  it('is renewed before it expires', async () => {
    let sessionCount = 0;
    const fetchSession = async () => {
      sessionCount += 1;
      const expires_at = new Date(Date.now() + HOUR_MS).toISOString();
      return { ...pageSession([], `own_${sessionCount}`), expires_at };
    };
    const provider = await fixture<ConnectProvider>(html`
      <connect-provider .fetchSession=${fetchSession}>
        <connect-donations refresh-seconds="0"></connect-donations>
      </connect-provider>
    `);
    const table = provider.querySelector<ConnectDonations>('connect-donations')!;
    await waitUntil(() => rows(table) === 1, 'a row');
    await table.refresh();
    expect(sessionCount).to.equal(1);
    Date.now = () => now() + HOUR_MS - 60_000;
    const refreshed = oneEvent(provider, 'connect-session-refreshed');
    await table.refresh();
    await refreshed;
    expect(sessionCount).to.equal(2);
    const tokens = server.requestsTo(DONATIONS).map(({ headers }) => headers.get('authorization'));
    expect(tokens).to.deep.equal(['Bearer own_1', 'Bearer own_1', 'Bearer own_2']);
  });

  it('that has expired has another message than a viewer who never signed in', async () => {
    const unauthorized = () => errorResponse('unauthorized');
    const message = (table: Element) =>
      table.shadowRoot!.querySelector('[role=alert]')?.textContent ?? '';
    const open = (token: string | null = null) =>
      fixture<ConnectDonations>(html`
        <connect-donations
          server=${SERVER}
          .viewerToken=${token}
          refresh-seconds="0"
        ></connect-donations>
      `);
    server.on('/component-sessions', unauthorized);
    const never = await open();
    await waitUntil(() => message(never).includes('You are not signed in'), 'not signed in');
    expect(message(never)).to.include('Sign in to continue.').and.not.include('again to continue');

    const { promise, resolve } = Promise.withResolvers<void>();
    server.on('/component-sessions', () => jsonResponse(pageSession(['donations']), 201));
    const once = await open('viewer of an hour');
    await waitUntil(() => rows(once) === 1, 'a row');
    server.on(DONATIONS, unauthorized);
    server.on('/component-sessions', () => (resolve(), unauthorized()));
    void once.refresh();
    await promise;
    await waitUntil(() => message(once).includes('Your session has expired'), 'ended');
  });

  it('of ConnectEmbed.init is used by tables without a provider, until logout', async () => {
    let sessionCount = 0;
    const fetchSession = async (signal: AbortSignal) => {
      sessionCount += 1;
      expect(signal.aborted).to.equal(false);
      return pageSession([], 'of the page');
    };
    share.options = { fetchSession };
    const page = await fixture(html`
      <div>
        <connect-donations refresh-seconds="0"></connect-donations>
        <connect-payouts refresh-seconds="0"></connect-payouts>
      </div>
    `);
    const table = page.querySelector('connect-donations')!;
    await waitUntil(() => rows(table) === 1, 'a row');
    await waitUntil(() => server.requestsTo('/api/v1/payouts').length === 1, 'payouts');
    expect(sessionCount).to.equal(1);
    expect(server.requestsTo(DONATIONS)[0]!.headers.get('authorization')).to.equal(
      'Bearer of the page',
    );
    share.options = undefined;
    share.init!();
    await waitUntil(() => rows(table) === 0, 'cleared');
  });

  it('is requested with valid JSON, also if the page defines Array.prototype.toJSON', async () => {
    const lists = Array.prototype as { toJSON?: unknown };
    lists.toJSON = function (this: unknown[]) {
      return `[${this.join(', ')}]`;
    };
    try {
      await fixture(html`
        <connect-donations server=${SERVER} viewer-token="old" refresh-seconds="0">
        </connect-donations>
      `);
      await waitUntil(() => server.requestsTo('/component-sessions').length === 1, 'requested');
    } finally {
      delete lists.toJSON;
    }
    expect(server.requestsTo('/component-sessions')[0]!.body).to.deep.equal({
      components: ['donations'],
    });
  });
});

describe('default filters', () => {
  it('apply from the first request on', async () => {
    const table = document.createElement('connect-donations');
    table.defaultFilters = { fund_id: 'fund_meals' };
    Object.assign(table, { server: SERVER, viewerToken: 'narrow', refreshSeconds: 0 });
    const holder = await fixture(html`<div></div>`);
    holder.append(table);
    await waitUntil(() => rows(table) === 1, 'a row');
    expect(server.requestsTo(DONATIONS)[0]!.query.get('fund_id')).to.equal('fund_meals');
  });
});
