import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { PublicForm } from '@connect-embed/contract';
import { STRIPE_SCRIPT } from '@connect-embed/contract/stripe-script';
import { decodeJwt } from 'jose';
import { fastCompressors } from '../node/compressors.ts';
import { formOf } from '../test-support/dashboard-form.ts';
import { openServer, errorOf, ORIGIN } from '../test-support/embedding-page.ts';
import { API_KEY, errorResponse, startUpstream } from '../test-support/upstream.ts';

const HOUR_MS = 3_600_000;
/** For busy machines. A wait ends as soon as its check passes. */
const WAIT = { timeout: 60_000 };

let clock = Date.parse('2026-03-01T12:00:00Z');
const now = () => clock;
const upstream = await startUpstream({ now });

const openTestServer = (config = {}) => openServer(upstream.apiBase, { now, ...config });

describe('POST /embed-sessions', () => {
  test('returns the form and a session token of this visitor', async () => {
    const page = openTestServer({
      forms: { gala: { preset_amounts_cents: [5000], amount_locked: true } },
    });
    const response = await page.post('/embed-sessions', { form: 'gala' });
    assert.equal(response.status, 201);
    const session = (await response.json()) as Record<string, unknown>;
    assert.partialDeepStrictEqual(session, {
      object: 'embed_session',
      organization_id: 'org_1',
      expires_at: new Date(clock + HOUR_MS).toISOString(),
      form: {
        object: 'embed_form',
        terms: { preset_amounts_cents: [5000], amount_locked: true },
        publishable_key: 'pk_test_sandbox',
      },
    });
    const claims = decodeJwt(String(session['session_token']));
    assert.equal(claims['form'], 'gala');
    assert.equal(claims['origin'], ORIGIN);
    assert.equal(claims.exp, Math.floor((clock + HOUR_MS) / 1000));
  });

  for (const [ofApi, sandboxUrl, expected] of [
    ['https://evil.example/stripe.js', undefined, STRIPE_SCRIPT],
    ['https://js.stripe.com.evil.example/x.js', undefined, STRIPE_SCRIPT],
    ['https://js.stripe.com/other/page.js', undefined, STRIPE_SCRIPT],
    ['not a URL', undefined, STRIPE_SCRIPT],
    ['http://localhost:4300/other.js', undefined, 'http://localhost:4300/stripe.js'],
    [
      'https://sandbox.example/x.js',
      'https://sandbox.example/',
      'https://sandbox.example/stripe.js',
    ],
    ['http://localhost:4300/stripe.js', 'https://sandbox.example', STRIPE_SCRIPT],
  ] as const) {
    test(`names its own script for ${ofApi} of the API, with the sandbox ${sandboxUrl}`, async () => {
      upstream.setScriptUrl(ofApi);
      upstream.setForms([formOf('spring')]);
      const { openForm, server } = openTestServer({ sandboxUrl });
      for (const name of ['default', 'spring']) {
        assert.equal((await openForm(name)).form.stripe_js_url, expected);
        const shown = await server.request(`/embed-form?form=${name}`, {
          headers: { origin: ORIGIN },
        });
        assert.equal(((await shown.json()) as PublicForm).stripe_js_url, expected);
      }
    });
  }

  test('says in the log which sandbox the server does not know', async () => {
    upstream.setScriptUrl('http://localhost:5300/stripe.js');
    const { openForm, lines } = openTestServer();
    await openForm();
    const line = lines.find(({ message }) => message.includes('set SANDBOX_URL'));
    assert.equal(line?.['api_script'], 'http://localhost:5300/stripe.js');
  });

  test('is compressed for a browser that accepts gzip', async () => {
    const page = openTestServer();
    const response = await page.server.request('/embed-sessions', {
      method: 'POST',
      headers: { origin: ORIGIN, 'accept-encoding': 'gzip, deflate, br' },
    });
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    const body = Buffer.from(await response.arrayBuffer());
    const text = gunzipSync(body).toString();
    assert.equal((JSON.parse(text) as { object: string }).object, 'embed_session');
    assert.ok(body.length < text.length * 0.7, `${body.length} of ${text.length}`);
  });

  test('is compressed with Brotli in Node', async () => {
    const page = openTestServer({ compressors: fastCompressors });
    const response = await page.server.request('/embed-sessions', {
      method: 'POST',
      headers: { origin: ORIGIN, 'accept-encoding': 'gzip, deflate, br' },
    });
    assert.equal(response.headers.get('content-encoding'), 'br');
    const text = brotliDecompressSync(await response.arrayBuffer()).toString();
    assert.equal((JSON.parse(text) as { object: string }).object, 'embed_session');
  });

  test('returns a separate token to every visitor', async () => {
    const { openForm } = openTestServer();
    const [item, other] = [await openForm(), await openForm()];
    assert.notEqual(decodeJwt(item.session_token).sub, decodeJwt(other.session_token).sub);
  });

  test('uses the form named default for an empty body', async () => {
    const page = openTestServer();
    const response = await page.server.request('/embed-sessions', {
      method: 'POST',
      headers: { origin: ORIGIN },
    });
    assert.equal(response.status, 201);
  });

  test('reads the form name from the query of a request without a body, which needs no preflight', async () => {
    const { server } = openTestServer({ forms: { gala: { preset_amounts_cents: [5000] } } });
    const post = (query: string, origin = ORIGIN) =>
      server.request(`/embed-sessions?${query}`, { method: 'POST', headers: { origin } });
    const response = await post('form=gala');
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('access-control-allow-origin'), ORIGIN);
    const { session_token } = (await response.json()) as { session_token: string };
    assert.equal(decodeJwt(session_token)['form'], 'gala');
    assert.equal((await post('form=gala', 'https://elsewhere.example')).status, 403);
    assert.equal((await post('form=ball')).status, 404);
    assert.equal((await post('form=')).status, 400);
    assert.equal((await post('amount=1')).status, 400);
  });

  test('sends terms and prefill of the form to the API, with the credential', async () => {
    const form = { fund_id: 'fund_meals', prefill: { donor_name: 'Ada' } };
    await openTestServer({ forms: { meals: form } }).openForm('meals');
    const [call] = upstream.calls;
    // The API registers the origins for wallets.
    assert.deepEqual(call?.body, { ...form, form_name: 'meals', origins: [ORIGIN] });
    assert.equal(call?.headers['authorization'], `Bearer ${API_KEY}`);
  });

  test('names the missing form and how to add it', async () => {
    const page = openTestServer();
    const error = await errorOf(await page.post('/embed-sessions', { form: 'gala' }));
    assert.deepEqual([error.status, error.type], [404, 'not_found']);
    assert.match(error.message, /"gala".*connect\.config\.ts/);
    assert.equal((await page.post('/embed-sessions', { form: '__proto__' })).status, 404);
    assert.equal((await page.post('/embed-sessions', { form: 'constructor' })).status, 404);
    assert.equal(upstream.calls.length, 1); // The list of the dashboard's forms.
  });

  test('sends at most 2 API requests for 1,000 page views', async () => {
    const { openForm } = openTestServer();
    await Promise.all(Array.from({ length: 500 }, () => openForm()));
    for (let view = 0; view < 500; view += 1) await openForm();
    assert.deepEqual(
      upstream.calls.map(({ method, path }) => `${method} ${path}`),
      ['POST /api/v1/embed-sessions', 'GET /api/v1/embed-sessions/current'],
    );
  });

  test('renews five minutes before the expiry, once for all visitors', async (t) => {
    const { openForm } = openTestServer();
    const first = await openForm();
    clock += HOUR_MS - 301_000;
    assert.equal((await openForm()).id, first.id);
    clock += 2000;
    const views = await Promise.all(Array.from({ length: 20 }, () => openForm()));
    // Nobody waits for the new session; the old one is valid for five more minutes.
    for (const view of views) assert.equal(view.id, first.id);
    await t.waitFor(async () => assert.notEqual((await openForm()).id, first.id), WAIT);
    assert.equal(upstream.callsOf('/embed-sessions').length, 2);
  });

  test('uses the old session while a renewal fails, and its tokens expire with it', async (t) => {
    const { openForm } = openTestServer();
    const first = await openForm();
    clock += HOUR_MS - 200_000;
    upstream.failWith(() => errorResponse(500, 'server_error', 'down'));
    const later = await openForm();
    assert.equal(later.id, first.id);
    assert.equal(later.expires_at, first.expires_at);
    upstream.failWith(undefined);
    await t.waitFor(async () => {
      clock += 2_001; // The failure of the renewal may be noted only now, and is kept for two seconds.
      assert.notEqual((await openForm()).id, first.id);
    }, WAIT);
  });

  test('issues tokens with a shorter lifetime if configured', async () => {
    const session = await openTestServer({ sessionSeconds: 600 }).openForm();
    assert.equal(Date.parse(session.expires_at), clock + 600_000);
  });

  for (const [offset, offMs] of [
    ['two hours ahead of', 2 * HOUR_MS],
    ['two hours behind', -2 * HOUR_MS],
    ['almost an hour ahead of', HOUR_MS - 60_000],
  ] as const) {
    test(`keeps a session for its hour with a clock ${offset} the API’s`, async (t) => {
      const page = openTestServer({ now: () => clock + offMs });
      const first = await page.openForm();
      assert.equal(Date.parse(first.expires_at), clock + offMs + HOUR_MS);
      assert.equal((await page.createPaymentIntent(first.session_token)).status, 201);
      clock += HOUR_MS - 301_000;
      assert.equal((await page.openForm()).id, first.id);
      clock += 2000;
      await page.openForm();
      await t.waitFor(() => assert.equal(upstream.callsOf('/embed-sessions').length, 2), WAIT);
    });
  }

  test('accepts a session that seems to have expired if the API sends no Date header', async () => {
    const fetchWithoutDate = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      const headers = new Headers(response.headers);
      headers.delete('date');
      return new Response(response.body, { status: response.status, headers });
    };
    const page = openTestServer({ now: () => clock + 2 * HOUR_MS, fetch: fetchWithoutDate });
    const first = await page.openForm();
    assert.equal((await page.openForm()).id, first.id);
  });

  test('returns 503 with Retry-After while the API is unavailable, and recovers', async () => {
    const page = openTestServer();
    upstream.failWith(() => errorResponse(500, 'server_error', 'down'));
    const responses = await Promise.all([1, 2, 3].map(() => page.post('/embed-sessions', {})));
    for (const response of responses) {
      assert.equal(response.headers.get('retry-after'), '5');
      assert.equal((await errorOf(response)).type, 'unavailable');
    }
    assert.equal(upstream.calls.length, 1);
    upstream.failWith(undefined);
    clock += 5000;
    assert.equal((await page.post('/embed-sessions', {})).status, 201);
  });

  test('returns 503 if the connection to the API is refused', async () => {
    const page = openServer('http://127.0.0.1:9/api/v1');
    const response = await page.post('/embed-sessions', {});
    assert.equal(response.headers.get('retry-after'), '5');
    assert.equal((await errorOf(response)).status, 503);
  });

  for (const [description, response] of [
    ['not JSON', new Response('<html>', { status: 200 })],
    ['not a session', Response.json({ object: 'something' })],
  ] as const) {
    test(`does not cache a response that is ${description}`, async () => {
      const page = openTestServer();
      upstream.failWith(() => response.clone());
      assert.equal((await errorOf(await page.post('/embed-sessions', {}))).status, 503);
      upstream.failWith(undefined);
      clock += 5000;
      assert.equal((await page.post('/embed-sessions', {})).status, 201);
    });
  }

  test('returns 503 and not 401 for a rejected credential', async () => {
    const page = openTestServer();
    upstream.failWith(() => errorResponse(401, 'unauthorized', 'This key has been revoked.'));
    const error = await errorOf(await page.post('/embed-sessions', {}));
    assert.deepEqual([error.status, error.type], [503, 'unavailable']);
    assert.ok(
      page.lines.some(({ level, error }) => level === 'error' && /revoked/.test(String(error))),
    );
  });
});
