import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { CampaignProgress, DEFAULT_FORM_PAGE } from '@connect-embed/contract';
import { errorOf, openServer, ORIGIN } from '../test-support/embedding-page.ts';
import { errorResponse, startUpstream } from '../test-support/upstream.ts';

const upstream = await startUpstream();
let clock: number;
beforeEach(() => {
  clock = Date.now();
});

type Server = ReturnType<typeof openServer>['server'];
const getProgress = async (
  server: Server,
  id = 'camp_winter',
  headers: Record<string, string> = {},
) => await server.request(`/campaigns/${id}/progress`, { headers: { origin: ORIGIN, ...headers } });
const getRaisedCents = async (server: Server) =>
  ((await (await getProgress(server)).json()) as CampaignProgress).raised_cents;
const openTestServer = (config = {}) =>
  openServer(upstream.apiBase, { campaigns: ['camp_winter'], now: () => clock, ...config }).server;

describe('GET /campaigns/{id}/progress', () => {
  test('returns the progress to an allowed page, with its max-age for the browser', async () => {
    const response = await getProgress(openTestServer());
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('access-control-allow-origin'), ORIGIN);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=20');
    assert.match(response.headers.get('vary') ?? '', /Origin/);
    const progress = CampaignProgress.strict().parse(await response.json());
    assert.equal(progress.raised_cents, 250_000);
  });

  test('returns 304 if nothing changed', async () => {
    const server = openTestServer();
    const tag = (await getProgress(server)).headers.get('etag') ?? '';
    assert.equal((await getProgress(server, 'camp_winter', { 'if-none-match': tag })).status, 304);
  });

  test('sends one API request for a thousand requests', async () => {
    const server = openTestServer();
    await Promise.all(Array.from({ length: 1000 }, () => getProgress(server)));
    assert.equal(upstream.calls.length, 1);
  });

  test('fetches again when the cached value is too old', async () => {
    const server = openTestServer();
    await getRaisedCents(server);
    upstream.setRaisedCents(300_000);
    assert.equal(await getRaisedCents(server), 250_000);
    clock += 20_000;
    assert.equal(await getRaisedCents(server), 300_000);
  });

  test('serves the cached value for an hour while the API is unavailable', async () => {
    const server = openTestServer();
    await getRaisedCents(server);
    upstream.failWith(() => errorResponse(503, 'unavailable', 'away'));
    clock += 3_599_000;
    assert.equal(await getRaisedCents(server), 250_000);
    clock += 2000;
    assert.equal((await errorOf(await getProgress(server))).type, 'unavailable');
  });

  test('has its own rate limit, so that donations have priority', async () => {
    const campaigns = Array.from({ length: 6 }, (_, index) => `camp_${index}`);
    const server = openTestServer({ campaigns });
    const responses = await Promise.all(campaigns.map((id) => getProgress(server, id)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 200, 200, 200, 429, 429]);
    assert.equal(upstream.calls.length, 4);
  });

  test('serves the campaign of a form without further configuration', async () => {
    const server = openTestServer({
      campaigns: [],
      forms: { meals: { campaign_id: 'camp_winter' } },
    });
    assert.equal((await getProgress(server)).status, 200);
  });

  test('serves the campaign of a form of the dashboard without further configuration', async () => {
    upstream.setForms([
      {
        id: 'form_winter',
        object: 'form',
        slug: 'winter',
        name: 'Winter appeal',
        status: 'closed',
        version: 2,
        published_at: '2026-02-01T12:00:00.000Z',
        campaign_id: 'camp_winter',
        page: DEFAULT_FORM_PAGE,
        created_at: '2026-02-01T12:00:00.000Z',
      },
    ]);
    const server = openTestServer({ campaigns: [] });
    assert.equal((await getProgress(server)).status, 200);
    assert.equal((await getProgress(server, 'camp_other')).status, 404);
    upstream.setForms([]);
  });

  test('returns 404 for a campaign that is not configured, with the setting to change', async () => {
    const error = await errorOf(await getProgress(openTestServer(), 'camp_other'));
    assert.deepEqual([error.status, error.type], [404, 'not_found']);
    assert.match(error.message, /camp_other.*"campaigns" in connect\.config\.ts/);
    assert.deepEqual(
      upstream.calls.map(({ path }) => path),
      ['/api/v1/forms'],
    );
  });

  test('allows pages of allowed origins and pages of its own origin', async () => {
    const server = openTestServer({ origins: [ORIGIN] });
    const get = (url: string, headers: Record<string, string>) =>
      server.request(`${url}/campaigns/camp_winter/progress`, { headers });
    const sameOrigin = { 'sec-fetch-site': 'same-origin' };
    assert.equal((await get(ORIGIN, sameOrigin)).status, 200);
    assert.equal((await get('https://elsewhere.example', sameOrigin)).status, 403);
    assert.equal((await get(ORIGIN, { 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.equal((await get(ORIGIN, { origin: 'https://evil.example' })).status, 403);
  });

  for (const method of ['POST', 'PUT', 'DELETE']) {
    test(`405 for ${method}`, async () => {
      const response = await openTestServer().request('/campaigns/camp_winter/progress', {
        method,
      });
      assert.equal(response.status, 405);
      assert.equal(response.headers.get('allow'), 'GET, HEAD');
    });
  }

  test('refetches every few seconds for a minute after a donation', async () => {
    const { server, openForm, createPaymentIntent } = openServer(upstream.apiBase, {
      forms: { default: { campaign_id: 'camp_winter' } },
      now: () => clock,
    });
    await getRaisedCents(server);
    await createPaymentIntent((await openForm()).session_token);
    assert.equal(await getRaisedCents(server), 250_000);
    upstream.setRaisedCents(252_000);
    assert.equal(await getRaisedCents(server), 250_000);
    clock += 4000;
    assert.equal(await getRaisedCents(server), 252_000);
    clock += 60_000;
    await getRaisedCents(server);
    upstream.setRaisedCents(260_000);
    clock += 4000;
    assert.equal(await getRaisedCents(server), 252_000);
  });
});
