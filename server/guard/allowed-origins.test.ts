import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openServer, ORIGIN } from '../test-support/embedding-page.ts';
import { errorResponse, startUpstream } from '../test-support/upstream.ts';

let clock = Date.parse('2026-03-01T12:00:00Z');
const now = () => clock;
const upstream = await startUpstream({ now });

const SITE = 'https://shop.example';

/** Opens a form from a page of `origin` and returns the status. */
function openServerFrom() {
  const { server } = openServer(upstream.apiBase, { now });
  return {
    server,
    open: async (origin: string) =>
      (await server.request('/embed-sessions', { method: 'POST', headers: { origin } })).status,
  };
}

describe('an allowed site of the dashboard', () => {
  test('may embed, and another site may not', async () => {
    upstream.setSites([SITE, 'https://*.shops.example']);
    const { open } = openServerFrom();
    assert.equal(await open(SITE), 201);
    assert.equal(await open('https://ana.shops.example'), 201);
    assert.equal(await open('https://shops.example'), 403);
    assert.equal(await open('https://other.example'), 403);
    assert.equal(await open('null'), 403);
  });

  test('gets a CORS preflight with its origin', async () => {
    upstream.setSites([SITE]);
    const { server } = openServerFrom();
    const preflight = async (origin: string) => {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const response = await server.request('/payment-intents', { method: 'OPTIONS', headers });
      return response.headers.get('access-control-allow-origin');
    };
    assert.equal(await preflight(SITE), SITE);
    assert.equal(await preflight('https://other.example'), null);
  });

  test('may embed a minute after it was added, and until a minute after it was removed', async () => {
    const { open } = openServerFrom();
    assert.equal(await open(SITE), 403);
    upstream.setSites([SITE]);
    clock += 60_000;
    assert.equal(await open(SITE), 201);
    upstream.setSites([]);
    clock += 60_000;
    assert.equal(await open(SITE), 403);
  });

  test('is not looked up for a site of the configuration', async () => {
    const { open } = openServerFrom();
    assert.equal(await open(ORIGIN), 201);
    assert.equal(upstream.callsOf('/allowed-sites').length, 0);
  });

  test('costs one API request however many origins are refused', async () => {
    const { open } = openServerFrom();
    for (let index = 0; index < 50; index += 1) {
      assert.equal(await open(`https://site-${index}.example`), 403);
    }
    assert.equal(upstream.callsOf('/allowed-sites').length, 1);
  });

  test('gets a readable 503 and not 403 while the list was never fetched', async () => {
    upstream.failWith(() => errorResponse(500, 'server_error', 'down'));
    const { server } = openServerFrom();
    const response = await server.request('/embed-sessions', {
      method: 'POST',
      headers: { origin: SITE },
    });
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('access-control-allow-origin'), SITE);
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /Retry-After/);
  });
});
