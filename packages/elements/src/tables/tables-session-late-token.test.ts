import { expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import type { ConnectProvider } from '../connect-provider.ts';
import { jsonResponse, pageSession, SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { DONATIONS, listResponse, names, queryShadow, some } from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const tokenRequired = {
  error: { type: 'unauthorized', code: 'credential_missing', message: 'A token is missing.' },
};
const original = window.setTimeout;
let expireWaits: (() => void)[] = [];
let sessionEvents: string[] = [];

const recordEvent = ({ type }: Event) => sessionEvents.push(type);

beforeEach(() => {
  [expireWaits, sessionEvents] = [[], []];
  // The tests end the wait for a token themselves.
  window.setTimeout = ((run: () => void, ms?: number, ...rest: unknown[]) =>
    ms === 5000 ? expireWaits.push(run) : original(run, ms, ...rest)) as typeof setTimeout;
  addEventListener('connect-session-expired', recordEvent);
  server.on(DONATIONS, () => listResponse(some(2, 2)));
  server.on('/component-sessions', ({ headers }) =>
    headers.has('authorization')
      ? jsonResponse(pageSession(['donations']), 201)
      : jsonResponse(tokenRequired, 401),
  );
});
afterEach(() => {
  window.setTimeout = original;
  removeEventListener('connect-session-expired', recordEvent);
});

/** Opens a provider without a viewer token, and waits until the server has required one. */
async function openWithoutToken() {
  const provider = await fixture<ConnectProvider>(html`
    <connect-provider server=${SERVER}>
      <connect-donations refresh-seconds="0"></connect-donations>
    </connect-provider>
  `);
  const table = provider.querySelector('connect-donations')!;
  await waitUntil(() => expireWaits.length === 1, 'the server has required a token');
  expect(queryShadow(table, '.skeleton')).to.not.equal(null);
  expect(queryShadow(table, '[role=alert]')).to.equal(null);
  return { provider, table };
}

describe('tables of a server that requires a viewer token, on a page without one', () => {
  it('keep loading until the page sets the token', async () => {
    const { provider, table } = await openWithoutToken();
    provider.viewerToken = 'late';
    await waitUntil(() => names(table)[0] === 'Donor 2', 'rows');
    expireWaits[0]!();
    await new Promise((resolve) => original(resolve, 50));
    expect(names(table)).to.have.length(2);
    expect(sessionEvents).to.deep.equal([]);
  });

  it('keep loading until the page sets fetchSession', async () => {
    const { provider, table } = await openWithoutToken();
    provider.fetchSession = async () => pageSession(['donations'], 'own');
    await waitUntil(() => names(table)[0] === 'Donor 2', 'rows');
    expireWaits[0]!();
    await new Promise((resolve) => original(resolve, 50));
    expect(sessionEvents).to.deep.equal([]);
  });

  it('say that the viewer is not signed in if no token is set in time', async () => {
    const { provider, table } = await openWithoutToken();
    expireWaits[0]!();
    await waitUntil(() => queryShadow(table, '[role=alert]'), 'an error');
    expect(queryShadow(table, '[role=alert]')).to.include.text('You are not signed in');
    expect(sessionEvents).to.deep.equal(['connect-session-expired']);
    provider.viewerToken = 'later';
    await waitUntil(() => names(table)[0] === 'Donor 2', 'rows');
  });
});
