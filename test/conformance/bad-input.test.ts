import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FormSession, List } from '@connect-embed/contract';
import { assertApiError, createCaller, type ApiRequest } from '../support/api-request.ts';
import { startSystem, type TestSystem } from '../support/system.ts';
import {
  startDedicatedServer,
  DEDICATED_SESSION_SECRET,
  DEDICATED_VIEWER_SECRET,
  type DedicatedServer,
} from '../support/dedicated-server.ts';
import { createProcessorClient } from '../support/processor.ts';
import { resignToken, signViewerToken } from '../support/signed-token.ts';

let system: TestSystem;
let server: DedicatedServer;
let callServer: (call: ApiRequest) => Promise<Response>;
let callApi: (call: ApiRequest) => Promise<Response>;
let visitor: string;
let initialState: Awaited<ReturnType<typeof readState>>;

before(async () => {
  system = await startSystem();
  server = await startDedicatedServer(system);
  callServer = createCaller(server.url, { Origin: system.site });
  callApi = createCaller(system.api_base);
  const opened = await callServer({ path: '/embed-sessions', body: {} });
  visitor = ((await opened.json()) as FormSession).session_token;
  initialState = await readState();
});

after(async () => {
  await server?.close();
  await system?.close();
});

/** State that a rejected request must not change. */
async function readState() {
  const intents = await createProcessorClient(system).intents();
  const response = await callApi({
    method: 'GET',
    path: '/donations?limit=1',
    token: system.api_key,
  });
  const { data } = (await response.json()) as List<{ id: string }>;
  return { intents: intents.length, newest: data[0]?.id };
}

const bad = (names: RegExp) => ({ status: 400, type: 'invalid_request', names });
const unauthorized = (names: RegExp) => ({ status: 401, type: 'unauthorized', names });

/** Bodies of `POST /payment-intents` that both BFF and API reject. */
const BODIES = [
  ['no body', undefined, { status: 415, type: 'unsupported_media_type', names: /Content-Type/ }],
  ['malformed JSON', '{"amount_cents": 25', bad(/body.*JSON/)],
  ['an array', [], bad(/body/)],
  ['an empty object', {}, bad(/amount_cents/)],
  ['null', 'null', bad(/body/)],
  ['an amount as a string', { amount_cents: '2500' }, bad(/amount_cents/)],
  ['a fraction of a cent', { amount_cents: 2500.5 }, bad(/amount_cents/)],
  ['a negative amount', { amount_cents: -2500 }, bad(/amount_cents/)],
  ['zero', { amount_cents: 0 }, bad(/amount_cents/)],
  ['an amount below the minimum', { amount_cents: 49 }, bad(/amount_cents/)],
  ['an amount above the maximum', { amount_cents: 100_000_000 }, bad(/amount_cents/)],
  ['an amount above the largest safe integer', '{"amount_cents": 1e30}', bad(/amount_cents/)],
  ['an amount as an array', { amount_cents: [2500] }, bad(/amount_cents/)],
  ['an unknown field', { amount_cents: 2500, amount: 1 }, bad(/amount is not a known parameter/)],
  ['a card number', { amount_cents: 2500, card: '4242424242424242' }, bad(/card is not/)],
  ['an invalid email address', { amount_cents: 2500, donor_email: 'a@' }, bad(/donor_email/)],
  ['a name that is a number', { amount_cents: 2500, donor_name: 7 }, bad(/donor_name/)],
  [
    'a name of 201 characters',
    { amount_cents: 2500, donor_name: 'x'.repeat(201) },
    bad(/donor_name/),
  ],
  ['an unknown fund', { amount_cents: 2500, fund_id: 'fund_nowhere' }, bad(/fund/)],
  [
    'a body of one megabyte',
    { amount_cents: 2500, donor_name: 'x'.repeat(1_000_000) },
    { status: 413, type: 'payload_too_large', names: /body/ },
  ],
] as const;

describe('POST /payment-intents', () => {
  for (const [input, body, expectedError] of BODIES) {
    test(`the server rejects ${input}`, async () => {
      await assertApiError(
        await callServer({ path: '/payment-intents', body, token: visitor }),
        expectedError,
      );
    });
    test(`the API rejects ${input}`, async () => {
      await assertApiError(
        await callApi({ path: '/payment-intents', body, token: system.api_key }),
        expectedError,
      );
    });
  }

  test('the page cannot choose the embed session', async () => {
    const body = { amount_cents: 2500, embed_session_id: 'es_other' };
    const response = await callServer({ path: '/payment-intents', body, token: visitor });
    await assertApiError(response, bad(/embed_session_id is not a known parameter/));
  });

  test('the server requires an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': '' };
    const body = { amount_cents: 2500 };
    const response = await callServer({ path: '/payment-intents', body, token: visitor, headers });
    await assertApiError(response, bad(/Idempotency-Key/));
  });
});

describe('tokens', () => {
  const donation = { path: '/payment-intents', body: { amount_cents: 2500 } };
  const past = Math.floor(Date.now() / 1000) - 60;

  const VISITORS: readonly (readonly [string, () => string | undefined])[] = [
    ['no token', () => undefined],
    ['an expired token', () => resignToken(visitor, DEDICATED_SESSION_SECRET, { exp: past })],
    ['a token of another server', () => resignToken(visitor, DEDICATED_VIEWER_SECRET, {})],
    [
      'a token of another page',
      () => resignToken(visitor, DEDICATED_SESSION_SECRET, { origin: 'https://a.example' }),
    ],
    ['a truncated token', () => visitor.slice(0, -5)],
    ['the API key itself', () => system.api_key],
    ['a token in another format', () => 'token'],
  ];
  for (const [description, token] of VISITORS) {
    test(`the server rejects ${description}`, async () => {
      const expectedError = unauthorized(/session_token/);
      await assertApiError(await callServer({ ...donation, token: token() }), expectedError);
    });
  }

  const CREDENTIALS: readonly (readonly [string, () => string | undefined])[] = [
    ['no credential', () => undefined],
    ['a truncated key', () => system.api_key.slice(0, -3)],
    ['an unknown key', () => `gb_live_${'a'.repeat(43)}`],
    ['an unknown session', () => `gb_es_${'a'.repeat(43)}`],
    ["a visitor's token", () => visitor],
    ['a key with a space', () => `${system.api_key} x`],
  ];
  for (const [description, token] of CREDENTIALS) {
    test(`the API rejects ${description}`, async () => {
      await assertApiError(await callApi({ ...donation, token: token() }), unauthorized(/./));
    });
  }

  test('a read-only token cannot create payment intents', async () => {
    const viewer = signViewerToken(DEDICATED_VIEWER_SECRET);
    const body = { components: ['donations'] };
    const opened = await callServer({ path: '/component-sessions', body, token: viewer });
    assert.equal(opened.status, 201);
    const { token } = (await opened.json()) as { token: string };
    const expectedError = { status: 403, type: 'insufficient_scope', names: /payments:write/ };
    await assertApiError(await callApi({ ...donation, token }), expectedError);
  });

  test('a viewer without a valid token gets no component session', async () => {
    const body = { components: ['donations'] };
    const forged = signViewerToken('another-secret-that-is-long-enough-000');
    const expired = signViewerToken(DEDICATED_VIEWER_SECRET, { exp: past });
    for (const token of [undefined, forged, expired, visitor]) {
      const response = await callServer({ path: '/component-sessions', body, token });
      await assertApiError(response, unauthorized(/viewer|token|Authorization/i));
    }
  });
});

describe('every endpoint', () => {
  test('a page of an origin that is not allowed gets 403', async () => {
    for (const Origin of ['https://evil.example', `${system.site}.evil.example`, 'null']) {
      const call = { path: '/embed-sessions', body: {}, headers: { Origin } };
      const response = await callServer(call);
      assert.equal(response.headers.get('access-control-allow-origin'), null);
      await assertApiError(response, { status: 403, type: 'forbidden', names: /Origin/ });
    }
  });

  test('an unknown form gets 404 with its name', async () => {
    const response = await callServer({ path: '/embed-sessions', body: { form: 'nowhere' } });
    await assertApiError(response, { status: 404, type: 'not_found', names: /nowhere/ });
  });

  test('rejects another content type', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const expectedError = { status: 415, type: 'unsupported_media_type', names: /Content-Type/ };
    const call = { path: '/payment-intents', body: '{"amount_cents":2500}', headers };
    await assertApiError(await callServer({ ...call, token: visitor }), expectedError);
    await assertApiError(await callApi({ ...call, token: system.api_key }), expectedError);
  });

  test('a list rejects an invalid limit, cursor, date and filter', async () => {
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=abc', 'updated_since=today']) {
      const path = `/donations?${query}`;
      const response = await callApi({ method: 'GET', path, token: system.api_key });
      await assertApiError(response, bad(new RegExp(query.split('=')[0]!)));
    }
  });

  test("another organization's donation does not exist", async () => {
    const path = '/donations/don_of_somebody_else';
    const response = await callApi({ method: 'GET', path, token: system.api_key });
    const expectedError = { status: 404, type: 'not_found', names: /don_of_somebody_else/ };
    await assertApiError(response, expectedError);
  });

  test('an unknown path returns 404 and an unknown method 405', async () => {
    const notFound = { status: 404, type: 'not_found', names: /nowhere/ };
    await assertApiError(await callServer({ path: '/nowhere' }), notFound);
    await assertApiError(await callApi({ path: '/nowhere', token: system.api_key }), notFound);
    const methodNotAllowed = { status: 405, type: 'method_not_allowed', names: /PUT/ };
    const call = { method: 'PUT', path: '/payment-intents' };
    await assertApiError(await callServer(call), methodNotAllowed);
    await assertApiError(await callApi({ ...call, token: system.api_key }), methodNotAllowed);
  });

  test('an event without a valid signature of the processor is rejected', async () => {
    const { origin } = new URL(system.api_base);
    const body = { id: 'evt_forged', object: 'event', type: 'payment_intent.succeeded' };
    const response = await createCaller(origin)({
      path: '/processor-events',
      body,
      headers: { 'Stripe-Signature': 't=1,v1=00' },
    });
    assert.ok([400, 401].includes(response.status), `${response.status}`);
  });
});

test('after all requests nothing was charged or stored, and the services are ready', async () => {
  assert.deepEqual(await readState(), initialState);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  assert.equal((await fetch(`${new URL(system.api_base).origin}/readyz`)).status, 200);
});
