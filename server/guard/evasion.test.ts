import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientAddress } from '@connect-embed/contract/client-address';
import { solveProof } from '@connect-embed/contract/solve-proof';
import type { ConnectServerConfig } from '../connect-config.ts';
import { openServer } from '../test-support/embedding-page.ts';
import { startUpstream } from '../test-support/upstream.ts';

const upstream = await startUpstream();
const attemptsAtProcessor = () => upstream.callsOf('/payment-intents').length;
const intentCount = () => upstream.intents.size;

/**
 * Raises the credential's rate limit, which would also slow an attack, so that only the guard is
 * tested.
 */
const RELAXED_LIMITS = { credential: { points: 1_000_000, seconds: 1 } };

const openTestServer = (config: Partial<ConnectServerConfig> = {}) =>
  openServer(upstream.apiBase, {
    limits: RELAXED_LIMITS,
    guard: { iterations: 10 },
    clientIp: (request) => request.headers.get('x-address') ?? undefined,
    ...config,
  });
type Page = ReturnType<typeof openTestServer>;

/** Makes one attempt as a new visitor. */
async function attemptDonation(page: Page, headers: Record<string, string>, form?: string) {
  const { session_token } = await page.openForm(form);
  const response = await page.createPaymentIntent(session_token, undefined, undefined, headers);
  await response.arrayBuffer();
  return response.status;
}

describe('a card tester gets no more attempts', () => {
  test('by sending all of them at once', async () => {
    const page = openTestServer();
    const attempts = Array.from({ length: 200 }, () =>
      attemptDonation(page, { 'x-address': '203.0.113.9' }),
    );
    const accepted = (await Promise.all(attempts)).filter((status) => status === 201);
    assert.equal(accepted.length, 20);
    assert.equal(attemptsAtProcessor(), 20);
  });

  test('by using all addresses of one IPv6 network', async () => {
    const page = openTestServer();
    for (let i = 0; i < 60; i++) await attemptDonation(page, { 'x-address': `2001:db8::${i}:1` });
    assert.equal(attemptsAtProcessor(), 20);
  });

  for (const [proxies, appendedAddresses] of [
    [0, ''],
    [1, ', 203.0.113.9'],
    [2, ', 203.0.113.9, 10.0.0.2'],
  ] as const) {
    test(`by forging X-Forwarded-For, behind ${proxies} proxies`, async () => {
      const env = { incoming: { socket: { remoteAddress: '203.0.113.9' } } };
      const page = openTestServer({ clientIp: (request) => clientAddress(proxies)(request, env) });
      for (let i = 0; i < 60; i++)
        await attemptDonation(page, { 'x-forwarded-for': `198.51.100.${i}${appendedAddresses}` });
      assert.equal(attemptsAtProcessor(), 20);
    });
  }

  test('by using many forms and many addresses: 150 on a form, 300 in all', async () => {
    const forms = { first: {}, second: {}, third: {} };
    const page = openTestServer({
      forms,
      limits: { ...RELAXED_LIMITS, form: { points: 1000, seconds: 60 } },
    });
    const attemptsPerForm = [];
    for (const form of Object.keys(forms)) {
      const before = attemptsAtProcessor();
      for (let i = 0; i < 180; i++)
        await attemptDonation(page, { 'x-address': `198.18.0.${i}` }, form);
      attemptsPerForm.push(attemptsAtProcessor() - before);
    }
    assert.deepEqual(attemptsPerForm, [150, 120, 0]); // Rejected attempts count too.
  });
});

describe('a proof', () => {
  test('that is reused creates one intent', async () => {
    const page = openTestServer({
      guard: { iterations: 10, visitor: { points: 1, seconds: 600 } },
    });
    const { session_token } = await page.openForm();
    await page.createPaymentIntent(session_token);
    const headers = { authorization: `Bearer ${session_token}`, 'idempotency-key': 'donation-1' };
    const challengeResponse = await page.post('/challenges', {}, headers);
    const { challenge } = (await challengeResponse.json()) as { challenge: object };
    const proof = await solveProof(challenge);
    const before = intentCount();
    for (let i = 0; i < 5; i++) {
      const response = await page.createPaymentIntent(session_token, undefined, 'donation-1', {
        proof,
      });
      assert.equal(response.status, 201);
    }
    assert.equal(intentCount(), before + 1);
    const { session_token: otherToken } = await page.openForm(); // Another token with the same idempotency key.
    assert.equal(
      (await page.createPaymentIntent(otherToken, undefined, 'donation-1', { proof })).status,
      428,
    );
  });
});

test('a server without clientIp logs one warning when it starts', () => {
  const warnings = ({ lines }: Page) => lines.filter(({ level }) => level === 'warn');
  assert.deepEqual(warnings(openTestServer()), []);
  assert.match(
    warnings(openTestServer({ clientIp: undefined }))[0]?.message ?? '',
    /^clientIp is not set/,
  );
});
