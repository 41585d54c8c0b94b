import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf, openServer } from '../test-support/embedding-page.ts';
import { errorResponse, startUpstream } from '../test-support/upstream.ts';

let clock = Date.now();
const upstream = await startUpstream();

const openTestServer = () => openServer(upstream.apiBase, { now: () => clock });

test('GET /healthz returns 200 while the process runs', async () => {
  upstream.failWith(() => errorResponse(500, 'server_error', 'down'));
  assert.equal((await openTestServer().server.request('/healthz')).status, 200);
});

test('GET /healthz names the service and its release', async () => {
  const { server } = openServer(upstream.apiBase, { version: '1.2.3' });
  const body = { status: 'ok', service: 'connect-embed-server', version: '1.2.3' };
  assert.deepEqual(await (await server.request('/healthz')).json(), body);
});

test('GET /readyz is ready while the API responds; the credential is sent once a minute', async () => {
  const { server } = openTestServer();
  upstream.calls.length = 0;
  const responses = await Promise.all([1, 2, 3].map(async () => await server.request('/readyz')));
  for (const { status } of responses) assert.equal(status, 200);
  assert.deepEqual(
    upstream.calls.map(({ path, headers }) => [path, Boolean(headers['authorization'])]),
    [
      ['/readyz', false],
      ['/api/v1/organization', true],
    ],
  );
  for (const [afterMs, sent] of [
    [2000, false],
    [60_000, true],
  ] as const) {
    clock += afterMs;
    assert.equal((await server.request('/readyz')).status, 200);
    assert.equal(Boolean(upstream.calls.at(-1)?.headers['authorization']), sent);
  }
});

test('GET /readyz is not ready while the API is down, and ready again afterwards', async () => {
  const { server } = openTestServer();
  upstream.failWith(() => errorResponse(500, 'server_error', 'down'));
  const response = await server.request('/readyz');
  assert.ok(response.headers.get('retry-after'));
  assert.match(await response.clone().text(), /"code":"api_unavailable"/);
  assert.equal((await errorOf(response)).type, 'unavailable');
  upstream.failWith(undefined);
  clock += 2000;
  assert.equal((await server.request('/readyz')).status, 200);
});

test('GET /readyz is not ready when the API does not respond in time', async () => {
  const { server } = openTestServer();
  upstream.failWith(() => new Promise(() => {}));
  const error = await errorOf(await server.request('/readyz'));
  assert.match(error.message, /2000 ms/);
});

test('GET /readyz is not ready when the API has never accepted the credential', async () => {
  const { server } = openTestServer();
  upstream.failWith(() => errorResponse(401, 'unauthorized', 'There is no such key.'));
  const error = await errorOf(await server.request('/readyz'));
  assert.match(error.message, /rejects the credential/);
  upstream.failWith(undefined);
});

test('GET /readyz is not ready while the API rejects the credential, and recovers when it accepts it', async () => {
  const { server, post } = openTestServer();
  upstream.failWith(() => errorResponse(401, 'unauthorized', 'This key has been revoked.'));
  await post('/embed-sessions', {});
  const error = await errorOf(await server.request('/readyz'));
  assert.match(error.message, /rejects the credential/);
  upstream.failWith(() => errorResponse(403, 'insufficient_scope', 'reference:read is missing.'));
  clock += 2000;
  assert.equal((await server.request('/readyz')).status, 200);
});
