import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { solveProof } from '@connect-embed/contract/solve-proof';
import type { ConnectServerConfig } from '../connect-config.ts';
import { errorOf, openServer } from '../test-support/embedding-page.ts';
import { startUpstream } from '../test-support/upstream.ts';

const upstream = await startUpstream();

/**
 * Raises the credential's rate limit, which would also slow an attack, so that only the guard is
 * tested.
 */
const RELAXED_LIMITS = { credential: { points: 1_000_000, seconds: 1 } };

const openTestServer = (config: Partial<ConnectServerConfig> = {}) => {
  const page = openServer(upstream.apiBase, {
    limits: RELAXED_LIMITS,
    guard: { iterations: 10 },
    clientIp: (request) => request.headers.get('x-address') ?? undefined,
    ...config,
  });
  const headersOf = (token: string, key: string, address: string) => ({
    authorization: `Bearer ${token}`,
    'idempotency-key': key,
    'x-address': address,
  });
  const createChallenge = async (token: string, key: string, address: string, body: object = {}) =>
    await page.post('/challenges', body, headersOf(token, key, address));
  return { ...page, headersOf, createChallenge };
};

type Page = ReturnType<typeof openTestServer>;
const attemptsAtProcessor = () => upstream.callsOf('/payment-intents').length;

/**
 * Submits a donation as the element does: solves the challenge if one is required, and retries
 * once.
 */
async function submitDonation(page: Page, token: string, address: string): Promise<number> {
  const key = crypto.randomUUID();
  const firstResponse = await page.createPaymentIntent(token, undefined, key, {
    'x-address': address,
  });
  await firstResponse.arrayBuffer();
  if (firstResponse.status !== 428) return firstResponse.status;
  const { challenge } = (await (await page.createChallenge(token, key, address)).json()) as {
    challenge: object;
  };
  const proof = await solveProof(challenge);
  const secondResponse = await page.createPaymentIntent(token, undefined, key, {
    'x-address': address,
    proof,
  });
  await secondResponse.arrayBuffer();
  return secondResponse.status;
}

describe('a card tester', () => {
  test('with one address gets at most 20 of 1,000 attempts to the processor', async () => {
    const page = openTestServer();
    let token = '';
    for (let i = 0; i < 1000; i++) {
      // Changes the visitor as soon as its free attempts are used up, so that only the address
      // limits.
      if (i % 5 === 0) token = (await page.openForm()).session_token;
      await (
        await page.createPaymentIntent(token, undefined, undefined, { 'x-address': '203.0.113.9' })
      ).text();
    }
    assert.ok(
      attemptsAtProcessor() > 0 && attemptsAtProcessor() <= 20,
      `${attemptsAtProcessor()} reached the processor`,
    );
  });

  test('with 50 addresses and 20 attempts each gets at most a tenth to the processor', async () => {
    const page = openTestServer();
    for (let i = 0; i < 50; i++) {
      const { session_token } = await page.openForm();
      const headers = { 'x-address': `198.18.0.${i}` };
      for (let attempts = 0; attempts < 20; attempts++) {
        await (await page.createPaymentIntent(session_token, undefined, undefined, headers)).text();
      }
    }
    assert.ok(
      attemptsAtProcessor() > 0 && attemptsAtProcessor() <= 100,
      `${attemptsAtProcessor()} reached the processor`,
    );
  });

  test('that solves challenges gets a harder one for each attempt', async () => {
    const page = openTestServer({
      guard: { iterations: 10, address: { points: 1, seconds: 600 } },
    });
    const { session_token } = await page.openForm();
    const levels: number[] = [];
    for (let i = 0; i < 9; i++) {
      const response = await page.createChallenge(session_token, `donation-${i}`, '203.0.113.9');
      const { challenge } = (await response.json()) as {
        challenge: { parameters: { data: { level: number } } };
      };
      levels.push(challenge.parameters.data.level);
    }
    assert.deepEqual(levels, [1, 1, 2, 2, 3, 3, 3, 3, 4]);
  });
});

describe('while the API reports an attack', () => {
  const MINUTE = 60_000;

  test('every donation needs a proof of work at level 2, until fifteen minutes without an attack have passed', async (t) => {
    t.after(() => upstream.attackUntil(undefined));
    let clock = Date.now(); // The proof-of-work library uses the real clock, so the test starts from it.
    const page = openTestServer({ now: () => clock });
    const donateOnce = async (address: string) => {
      const { session_token } = await page.openForm(); // A new visitor for each donation.
      const response = await page.createPaymentIntent(session_token, undefined, undefined, {
        'x-address': address,
      });
      await response.arrayBuffer();
      return response.status;
    };
    assert.equal(await donateOnce('203.0.113.1'), 201);
    const calls = upstream.calls.length;

    upstream.attackUntil(new Date(clock + 15 * MINUTE));
    assert.equal(await donateOnce('203.0.113.2'), 201); // The response reports the attack.
    assert.equal(await donateOnce('203.0.113.3'), 428);
    assert.equal(upstream.calls.length, calls + 1); // The rejection costs no API request.

    const { session_token } = await page.openForm();
    const challengeResponse = await page.createChallenge(
      session_token,
      'donation-1',
      '203.0.113.4',
    );
    assert.match(await challengeResponse.text(), /"level":2/);
    clock += 10 * MINUTE;
    upstream.attackUntil(new Date(clock + 15 * MINUTE)); // The attack continues.
    assert.equal(await submitDonation(page, session_token, '203.0.113.4'), 201);

    upstream.attackUntil(undefined);
    clock += 14 * MINUTE;
    assert.equal(await donateOnce('203.0.113.5'), 428);
    clock += 2 * MINUTE;
    assert.equal(await donateOnce('203.0.113.6'), 201);
  });

  test('a server that starts meanwhile requires a proof of the first donation', async (t) => {
    t.after(() => upstream.attackUntil(undefined));
    upstream.attackUntil(new Date(Date.now() + 15 * MINUTE));
    const page = openTestServer();
    const { session_token, proof_required } = await page.openForm();
    assert.equal(proof_required, true);
    const challengeResponse = await page.createChallenge(session_token, 'first', '203.0.113.7');
    assert.match(await challengeResponse.text(), /"level":2/);
  });
});

describe('an honest donor', () => {
  test('is never blocked: 500 of them, up to three declines each, 30 behind one address', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const page = openTestServer();
    const rejectedStatuses: number[] = [];
    for (let donor = 0; donor < 500; donor++) {
      const address = donor < 30 ? '203.0.113.9' : `198.18.${donor >> 8}.${donor & 255}`;
      const { session_token } = await page.openForm();
      for (let attempts = donor % 4; attempts >= 0; attempts--) {
        const status = await submitDonation(page, session_token, address);
        if (status !== 201) rejectedStatuses.push(status);
        t.mock.timers.tick(1500);
      }
      t.mock.timers.tick(1500); // About one donor every few seconds, as after an appeal on television.
    }
    assert.deepEqual(rejectedStatuses, []);
    assert.equal(attemptsAtProcessor(), 1250);
  });
});

describe('POST /payment-intents under guard', () => {
  const STRICT = { guard: { iterations: 10, visitor: { points: 1, seconds: 600 } } };

  test('requires a proof of work beyond the quota, names the route for challenges, and accepts the proof', async () => {
    const page = openTestServer(STRICT);
    const { session_token } = await page.openForm();
    assert.equal((await page.createPaymentIntent(session_token)).status, 201);
    const error = await errorOf(await page.createPaymentIntent(session_token));
    assert.deepEqual([error.status, error.type], [428, 'proof_required']);
    assert.match(error.message, /^Proof .*POST \/challenges/);
    assert.equal(attemptsAtProcessor(), 1);
    assert.equal(await submitDonation(page, session_token, '203.0.113.9'), 201);
    assert.equal(attemptsAtProcessor(), 2);
  });

  test('rejects a proof of another donation without an API request', async () => {
    const page = openTestServer(STRICT);
    const { session_token } = await page.openForm();
    const response = await page.createChallenge(session_token, 'donation-1', '203.0.113.9');
    const { challenge } = (await response.json()) as { challenge: object };
    const proof = await solveProof(challenge);
    const rejectedStatuses = await page.createPaymentIntent(
      session_token,
      undefined,
      'donation-2',
      { proof },
    );
    assert.equal(rejectedStatuses.status, 428);
    assert.equal(attemptsAtProcessor(), 0);
  });

  const ACCEPT = { accept: 'application/json, application/vnd.connect.challenge+json' };
  const readChallenge = async (response: Response) => {
    assert.equal(response.status, 200);
    assert.match(
      response.headers.get('content-type')!,
      /^application\/vnd\.connect\.challenge\+json/,
    );
    const { challenge } = (await response.json()) as {
      challenge: Parameters<typeof solveProof>[0];
    };
    return challenge;
  };

  test('returns the challenge with a success status to a page that accepts it, so that its browser logs no 428', async () => {
    const page = openTestServer(STRICT);
    const { session_token } = await page.openForm();
    const createIntent = (key: string, headers: Record<string, string> = {}) =>
      page.createPaymentIntent(session_token, undefined, key, { ...ACCEPT, ...headers });
    assert.equal((await createIntent('donation-1')).status, 201);
    const proof = await solveProof(await readChallenge(await createIntent('donation-2')));
    assert.equal(attemptsAtProcessor(), 1);
    await readChallenge(await createIntent('donation-3', { proof })); // A proof is valid for one donation only.
    assert.equal(attemptsAtProcessor(), 1);
    assert.equal((await createIntent('donation-2', { proof })).status, 201);
    assert.equal(attemptsAtProcessor(), 2);
  });

  test('counts a challenge in a response like one from POST /challenges', async () => {
    const levels = [];
    for (const headers of [{}, ACCEPT]) {
      const page = openTestServer(STRICT);
      const { session_token } = await page.openForm();
      let level = 0;
      for (let at = 0; at < 4; at++) {
        const key = `donation-${at}`;
        const response = await page.createPaymentIntent(session_token, undefined, key, headers);
        if (response.status === 201) continue;
        const challengeResponse =
          response.status === 428 ? await page.createChallenge(session_token, key, '') : response;
        level = Number(/"level":(\d)/.exec(await challengeResponse.text())![1]);
      }
      levels.push(level);
    }
    assert.deepEqual(levels, [3, 3]);
  });

  test('sends a harder challenge in the response when the honeypot field is filled in', async () => {
    const page = openTestServer();
    const { session_token } = await page.openForm();
    const withHoneypot = { amount_cents: 5000, website: 'https://spam.example' };
    const response = await page.createPaymentIntent(
      session_token,
      withHoneypot,
      'donation-1',
      ACCEPT,
    );
    assert.match(JSON.stringify(await readChallenge(response)), /"level":5/);
    assert.equal(attemptsAtProcessor(), 0);
  });

  test('requires a harder proof of work when the honeypot field is filled in', async () => {
    const page = openTestServer();
    const { session_token } = await page.openForm();
    const withHoneypot = { amount_cents: 5000, website: 'https://spam.example' };
    assert.equal(
      (await page.createPaymentIntent(session_token, withHoneypot, 'donation-1')).status,
      428,
    );
    const easyChallenge = (await (
      await page.createChallenge(session_token, 'donation-1', '')
    ).json()) as {
      challenge: object;
    };
    const proof = await solveProof(easyChallenge.challenge);
    assert.equal(
      (await page.createPaymentIntent(session_token, withHoneypot, 'donation-1', { proof })).status,
      428,
    );
    const hardChallenge = await page.createChallenge(session_token, 'donation-1', '', {
      website: 'x',
    });
    assert.match(await hardChallenge.text(), /"level":5/);
    assert.equal(attemptsAtProcessor(), 0);
  });
});
