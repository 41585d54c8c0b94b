import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ORIGIN } from '../test-support/embedding-page.ts';
import { runServer } from '../test-support/run-process.ts';
import { API_KEY, errorResponse, startUpstream } from '../test-support/upstream.ts';

const METRICS_TOKEN = 'a token for Prometheus';
const OLD_METRICS_TOKEN = 'the former token for Prometheus';

const upstream = await startUpstream();
const start = async (variables: Record<string, string> = {}) => {
  const server = runServer({
    CONNECT_API_BASE: upstream.apiBase,
    ALLOWED_ORIGINS: ORIGIN,
    METRICS_TOKEN: `${METRICS_TOKEN},${OLD_METRICS_TOKEN}`,
    ...variables,
  });
  return { server, address: await server.address() };
};

const post = (url: string, body: unknown, headers = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { origin: ORIGIN, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function donate(address: string) {
  const opened = await post(`${address}/embed-sessions`, {});
  const { session_token } = (await opened.json()) as { session_token: string };
  const response = await post(
    `${address}/payment-intents`,
    { amount_cents: 5000, donor_email: 'ada@example.org' },
    { authorization: `Bearer ${session_token}`, 'idempotency-key': crypto.randomUUID() },
  );
  return response.status;
}

const getMetrics = (address: string, authorization?: string) =>
  fetch(`${address}/metrics`, authorization ? { headers: { authorization } } : {});

describe('GET /metrics', () => {
  test('counts requests, sessions, payment attempts and requests to the API', async () => {
    const { server, address } = await start({
      BASE_PATH: '/connect',
      CONNECT_CONFIG: new URL('../test-support/one-donation-per-address.config.ts', import.meta.url)
        .pathname,
    });
    const base = `${address}/connect`;
    upstream.failWith(({ path }) =>
      path === '/api/v1/payment-intents'
        ? errorResponse(500, 'server_error', 'Broken.')
        : undefined,
    );
    assert.deepEqual([await donate(base), await donate(base)], [503, 429]);
    await fetch(`${base}/nowhere/ada@example.org`);
    const response = await getMetrics(base, `Bearer ${METRICS_TOKEN}`);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    for (const line of [
      'connect_server_request_duration_seconds_count{route="/payment-intents",status="5xx"} 1',
      'connect_server_sessions_opened_total 2',
      'connect_server_payment_attempts_total{outcome="failed"} 1',
      'connect_server_payment_attempts_total{outcome="rate_limited"} 1',
      'connect_server_rate_limited_requests_total{route="/payment-intents"} 1',
      'connect_server_api_request_duration_seconds_count{status="5xx"} 1',
    ])
      assert.ok(text.includes(`${line}\n`), `${line} is not in:\n${text}`);
    assert.match(text, /^process_resident_memory_bytes \d/m);
    assert.ok(!text.includes('ada@') && !text.includes(API_KEY) && !text.includes('nowhere'));
    await server.stop();
  });

  test('requires one of its tokens, and does not exist without METRICS_TOKEN', async () => {
    const { server, address } = await start();
    for (const token of [METRICS_TOKEN, OLD_METRICS_TOKEN])
      assert.equal((await getMetrics(address, `Bearer ${token}`)).status, 200);
    for (const authorization of [undefined, 'Bearer wrong', 'Basic eA=='])
      assert.equal((await getMetrics(address, authorization)).status, 401);
    await server.stop();
    const other = await start({ METRICS_TOKEN: '' });
    assert.equal((await getMetrics(other.address, `Bearer ${METRICS_TOKEN}`)).status, 404);
    await other.server.stop();
  });
});
