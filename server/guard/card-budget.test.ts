import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  DONOR_CONTEXT_HEADER,
  parseDonorContext,
  PROOF_REQUIRED_UNTIL_HEADER,
} from '@connect-embed/contract';
import { solveProof } from '@connect-embed/contract/solve-proof';
import type { ConnectServerConfig } from '../connect-config.ts';
import { errorOf, openServer } from '../test-support/embedding-page.ts';
import { errorResponse, startUpstream } from '../test-support/upstream.ts';

let clock = Date.now();
const now = () => clock;
const upstream = await startUpstream({ now });

const openTestServer = (config: Partial<ConnectServerConfig> = {}) =>
  openServer(upstream.apiBase, {
    now,
    limits: { credential: { points: 1_000_000, seconds: 1 } },
    guard: { iterations: 10 },
    forms: { default: {}, gala: {} },
    clientIp: (request) => request.headers.get('x-address') ?? undefined,
    ...config,
  });
type Page = ReturnType<typeof openTestServer>;

const intentCalls = () => upstream.callsOf('/payment-intents');
const contextOf = (index: number) =>
  parseDonorContext(intentCalls()[index]?.headers[DONOR_CONTEXT_HEADER.toLowerCase()] ?? '');

async function donate(page: Page, address: string, form?: string): Promise<Response> {
  const { session_token } = await page.openForm(form);
  return await page.createPaymentIntent(session_token, undefined, undefined, {
    'x-address': address,
  });
}

async function donateWithProof(page: Page, address: string): Promise<Response> {
  const { session_token } = await page.openForm();
  const headers = { authorization: `Bearer ${session_token}`, 'x-address': address };
  const key = crypto.randomUUID();
  const challengeResponse = await page.post(
    '/challenges',
    {},
    { ...headers, 'idempotency-key': key },
  );
  const { challenge } = (await challengeResponse.json()) as { challenge: object };
  const proof = await solveProof(challenge);
  return await page.createPaymentIntent(session_token, undefined, key, {
    'x-address': address,
    proof,
  });
}

/** Makes the API require a proof of work: on a whole form until this time, or for one address. */
const requireProof = (until?: number) =>
  upstream.failWith(({ path }) =>
    path.endsWith('/payment-intents')
      ? errorResponse(428, 'proof_required', 'Proof is required.', {
          ...(until && { [PROOF_REQUIRED_UNTIL_HEADER]: new Date(until).toISOString() }),
        })
      : undefined,
  );

describe('the API receives the donor’s context', () => {
  test('as keyed hashes: the same in every process, and never the address', async () => {
    const [item, other] = [openTestServer(), openTestServer()];
    await donate(item, '203.0.113.9');
    await donate(other, '203.0.113.9');
    await donate(item, '203.0.113.10', 'gala');
    await donate(
      openTestServer({ sessionSecret: 'another secret that is long enough, too' }),
      '203.0.113.9',
    );
    const [first, second, third, fourth] = [0, 1, 2, 3].map(contextOf);
    assert.deepEqual(first, second);
    assert.equal(first?.proof, 0);
    assert.notEqual(third?.address, first?.address);
    assert.notEqual(third?.form, first?.form);
    assert.notEqual(fourth?.address, first?.address);
    assert.doesNotMatch(JSON.stringify([upstream.calls, item.lines]), /203\.0\.113/);
  });

  test('by the network prefix of an IPv6 address', async () => {
    const page = openTestServer();
    await donate(page, '2001:db8::1');
    await donate(page, '2001:db8::2:1');
    assert.equal(contextOf(0).address, contextOf(1).address);
  });

  test('with the verified proof, and without an unknown address', async () => {
    const page = openTestServer({ clientIp: undefined });
    await donateWithProof(page, '');
    assert.deepEqual([contextOf(0).proof, contextOf(0).address], [1, undefined]);
  });
});

describe('when the API requires a proof of work', () => {
  test('a form over its budget costs the API one request per probe interval, from any number of addresses', async () => {
    const page = openTestServer();
    requireProof(clock + 60_000);
    for (let i = 0; i < 50; i++) assert.equal((await donate(page, `198.18.0.${i}`)).status, 428);
    assert.equal(intentCalls().length, 1);
    upstream.failWith(undefined);
    assert.equal((await donate(page, '198.18.1.1', 'gala')).status, 201);
    assert.equal((await donateWithProof(page, '198.18.1.2')).status, 201);
    assert.equal((await donate(page, '198.18.1.3')).status, 428);

    clock += 61_000;
    requireProof(clock + 60_000);
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, i) => donate(page, `198.18.2.${i}`)),
    );
    assert.ok(responses.every(({ status }) => status === 428));
    assert.equal(intentCalls().length, 4);

    clock += 61_000;
    upstream.failWith(undefined);
    assert.equal((await donate(page, '198.18.3.1')).status, 201);
    assert.equal((await donate(page, '198.18.3.2')).status, 201);
  });

  test('an address over its budget does not block other donors', async () => {
    const page = openTestServer();
    requireProof();
    for (let i = 0; i < 10; i++) assert.equal((await donate(page, '203.0.113.9')).status, 428);
    assert.equal(intentCalls().length, 1);
    upstream.failWith(undefined);
    assert.equal((await donate(page, '203.0.113.10')).status, 201);
    assert.equal((await donate(page, '203.0.113.9')).status, 428);
    assert.equal((await donateWithProof(page, '203.0.113.9')).status, 201);
    clock += 61_000;
    assert.equal((await donate(page, '203.0.113.9')).status, 201);
  });

  test('a burst sends at most twenty requests at a time', async () => {
    const page = openTestServer();
    let pending = 0;
    let maxPending = 0;
    upstream.failWith(async ({ path }) => {
      if (!path.endsWith('/payment-intents')) return undefined;
      maxPending = Math.max(maxPending, ++pending);
      // The requests overlap, or the limit would not be reached.
      await new Promise((resolve) => setTimeout(resolve, 50));
      pending -= 1;
      return undefined;
    });
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, i) => donate(page, `198.18.0.${i}`)),
    );
    const statuses = responses.map(({ status }) => status);
    assert.deepEqual([...new Set(statuses)].sort(), [201, 428]);
    assert.ok(maxPending <= 20, `${maxPending} at a time`);
    assert.equal((await donate(page, '198.18.1.1')).status, 201);
  });

  test('the session has proof_required only while a proof is required', async () => {
    const page = openTestServer();
    assert.equal((await page.openForm()).proof_required, undefined);
    requireProof(clock + 60_000);
    await donate(page, '198.18.0.1');
    upstream.failWith(undefined);
    assert.equal((await page.openForm()).proof_required, true);
    assert.equal((await page.openForm('gala')).proof_required, undefined);
  });
});

test('too many cards of one donor do not delay other donors', async () => {
  const page = openTestServer();
  upstream.failWith(({ path }) =>
    path.endsWith('/payment-intents')
      ? errorResponse(
          429,
          'rate_limited',
          'Too many attempts from this address.',
          { 'retry-after': '15' },
          { code: 'card_limit_reached' },
        )
      : undefined,
  );
  const response = await donateWithProof(page, '203.0.113.9');
  assert.equal(response.headers.get('retry-after'), '15');
  assert.deepEqual(await errorOf(response), {
    status: 429,
    type: 'rate_limited',
    message: 'Too many attempts from this address.',
  });
  upstream.failWith(undefined);
  assert.equal((await donate(page, '203.0.113.10')).status, 201);
});
