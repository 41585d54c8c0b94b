import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import './define.ts';
import type { ConnectDonations } from './connect-donations.ts';
import type { ConnectProvider } from './connect-provider.ts';
import type { TableSession } from './tables/component-session.ts';
import {
  donation,
  jsonResponse,
  pageSession,
  errorResponse,
  SERVER,
} from './test-support/server.ts';
import { server } from './test-support/set-up.ts';
import {
  DONATIONS,
  queryShadow,
  names,
  listResponse,
  rows,
  some,
  text,
} from './test-support/table.ts';
import { waitUntil } from './test-support/wait-until.ts';

describe('a provider', () => {
  const provide = (fetchSession?: (signal: AbortSignal) => Promise<TableSession>) =>
    fixture<ConnectProvider>(html`
      <connect-provider .fetchSession=${fetchSession} locale="de" theme="dark">
        <connect-donations refresh-seconds="0"></connect-donations>
        <connect-payouts refresh-seconds="0"></connect-payouts>
      </connect-provider>
    `);

  it('has no theme attribute unless the page sets one', async () => {
    const provider = await fixture(html`<connect-provider></connect-provider>`);
    expect(provider.hasAttribute('theme')).to.equal(false);
  });

  it('fetches one session for all tables inside, and gives them its language and theme', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1, { currency: 'eur' })));
    let sessionCount = 0;
    const provider = await provide(async () => {
      sessionCount += 1;
      return pageSession([], 'own');
    });
    const table = provider.querySelector('connect-donations')!;
    await waitUntil(() => rows(table).length === 1);
    await waitUntil(() => server.requestsTo('/api/v1/payouts').length === 1);
    expect(sessionCount).to.equal(1);
    expect(server.requestsTo(DONATIONS)[0]!.headers.get('authorization')).to.equal('Bearer own');
    expect(text(table)).to.include('50,00 €');
    expect(getComputedStyle(table).colorScheme).to.equal('dark');
    provider.locale = '';
    await waitUntil(() => text(table).includes('€50.00'), 'the language of the page');
    expect(provider.hasAttribute('lang')).to.equal(false);
  });

  it('renews the session on 401, repeats the read once, and dispatches an event', async () => {
    let sessionCount = 0;
    server.on(DONATIONS, ({ headers }) =>
      headers.get('authorization') === 'Bearer own_2'
        ? listResponse(some(1, 1))
        : errorResponse('unauthorized'),
    );
    const events: string[] = [];
    for (const what of ['refreshed', 'expired']) {
      addEventListener(`connect-session-${what}`, () => events.push(what), { once: true });
    }
    const provider = await provide(async () => pageSession([], `own_${++sessionCount}`));
    await waitUntil(() => rows(provider.querySelector('connect-donations')!).length === 1);
    expect(sessionCount).to.equal(2);
    expect(events).to.deep.equal(['refreshed']);
  });

  it('dispatches connect-session-expired when the session cannot be renewed', async () => {
    server.on(DONATIONS, () => errorResponse('unauthorized'));
    setTimeout(() => provide(async () => pageSession([], 'own')));
    await oneEvent(window, 'connect-session-expired');
  });

  it('clears its tables when the viewer signs out, and loads them for the next viewer', async () => {
    server.on(DONATIONS, () => listResponse(some(1, 1)));
    const provider = await provide(async () => pageSession([], 'own'));
    const table = provider.querySelector<ConnectDonations>('connect-donations')!;
    await waitUntil(() => rows(table).length === 1);
    provider.logout();
    await waitUntil(() => queryShadow(table, '[role=alert]'));
    expect(rows(table)).to.have.length(0);
    provider.fetchSession = async () => pageSession([], 'next');
    await waitUntil(() => rows(table).length === 1);
    expect(server.requestsTo(DONATIONS).at(-1)!.headers.get('authorization')).to.equal(
      'Bearer next',
    );
  });

  it('forgets the options that a later ConnectEmbed.init does not set', async () => {
    const provider = await provide(async () => pageSession([], 'own'));
    provider.renew({ viewerToken: 'viewer' });
    expect(provider.fetchSession).to.equal(undefined);
    provider.renew({ fetchSession: async () => pageSession([], 'other') });
    expect(provider.viewerToken).to.equal(null);
  });

  it('separates two organizations on one page', async () => {
    server.on('/component-sessions', ({ body, headers }) =>
      jsonResponse(pageSession(body['components'], headers.get('authorization')!.slice(7)), 201),
    );
    server.on(DONATIONS, ({ headers }) =>
      listResponse([donation(1, { donor_name: headers.get('authorization') })]),
    );
    const section = await fixture(html`
      <div>
        ${['one', 'two'].map(
          (token) => html`
            <connect-provider server=${SERVER} viewer-token=${token}>
              <connect-donations refresh-seconds="0"></connect-donations>
            </connect-provider>
          `,
        )}
      </div>
    `);
    const tables = [...section.querySelectorAll('connect-donations')];
    await waitUntil(() => tables.every((table) => rows(table).length === 1));
    expect(tables.map((table) => names(table)[0])).to.deep.equal(['Bearer one', 'Bearer two']);
  });
});
