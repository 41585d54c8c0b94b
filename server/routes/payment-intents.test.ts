import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorEnvelope } from '@connect-embed/contract';
import { SignJWT } from 'jose';
import { errorOf, openServer, ORIGIN, SESSION_SECRET } from '../test-support/embedding-page.ts';
import { endOfKey } from '../sessions/visitor-tokens.ts';
import { API_KEY, errorResponse, startUpstream } from '../test-support/upstream.ts';

const OTHER_ORIGIN = 'https://lantern.example';
const GALA = { preset_amounts_cents: [5000, 10_000], amount_locked: true, campaign_id: 'camp_1' };
const MEALS = { fund_id: 'fund_meals', min_amount_cents: 500, max_amount_cents: 50_000 };

let clock = Date.now();
const now = () => clock;
const upstream = await startUpstream({ now });

const openTestServer = (config = {}) =>
  openServer(upstream.apiBase, {
    now,
    origins: [ORIGIN, OTHER_ORIGIN],
    forms: { default: {}, gala: GALA, meals: MEALS },
    ...config,
  });
const intentCalls = () => upstream.callsOf('/payment-intents');

describe('POST /payment-intents', () => {
  test('adds the credential and the form’s session to the request of the page', async () => {
    const { openForm, createPaymentIntent } = openTestServer();
    const session = await openForm('meals');
    const donation = { amount_cents: 2500, donor_name: 'Ada', donor_email: 'ada@example.org' };
    const response = await createPaymentIntent(
      session.session_token,
      donation,
      'a-key-of-the-page',
    );
    assert.equal(response.status, 201);
    assert.partialDeepStrictEqual(await response.json(), { object: 'payment_intent' });
    const [call] = intentCalls();
    assert.deepEqual(call?.body, {
      ...donation,
      fund_id: 'fund_meals',
      embed_session_id: session.id,
      page_origin: ORIGIN,
    });
    assert.equal(call?.headers['authorization'], `Bearer ${API_KEY}`);
    assert.equal(call?.headers['idempotency-key'], 'a-key-of-the-page');
  });

  test('passes on the position of a donor in line, and does not delay other donors', async () => {
    const { openForm, createPaymentIntent } = openTestServer();
    const { session_token } = await openForm('meals');
    const detail = { code: 'processor_busy', queue_position: 12 } as const;
    upstream.failWith(({ path }) =>
      path.endsWith('/payment-intents')
        ? errorResponse(429, 'rate_limited', 'Busy.', { 'retry-after': '9' }, detail)
        : undefined,
    );
    const busy = await createPaymentIntent(session_token, { amount_cents: 2500 }, 'one-donor');
    assert.equal(busy.status, 429);
    assert.equal(busy.headers.get('retry-after'), '9');
    const { error } = (await busy.json()) as ErrorEnvelope;
    assert.deepEqual([error.code, error.queue_position], ['processor_busy', 12]);
    upstream.failWith(undefined);
    const other = await createPaymentIntent(session_token, { amount_cents: 2500 }, 'another');
    assert.equal(other.status, 201);
  });

  for (const [description, form, donation, field] of [
    ['an amount that a locked form does not offer', 'gala', { amount_cents: 6000 }, 'amount_cents'],
    ['an amount below the form’s minimum', 'meals', { amount_cents: 499 }, 'amount_cents'],
    ['an amount above the form’s maximum', 'meals', { amount_cents: 50_001 }, 'amount_cents'],
    ['another fund', 'meals', { amount_cents: 5000, fund_id: 'fund_general' }, 'fund_id'],
    ['a fund if none is offered', 'gala', { amount_cents: 5000, fund_id: 'fund_1' }, 'fund_id'],
    ['another campaign', 'gala', { amount_cents: 5000, campaign_id: 'camp_2' }, 'campaign_id'],
    [
      'a frequency that is not offered',
      'gala',
      { amount_cents: 5000, frequency: 'monthly' },
      'frequency',
    ],
    [
      'fee cover if it is not offered',
      'meals',
      { amount_cents: 5181, fee_cover_cents: 181 },
      'fee_cover_cents',
    ],
    ['a fraction of a cent', 'default', { amount_cents: 2500.5 }, 'amount_cents'],
    ['a negative amount', 'default', { amount_cents: -2500 }, 'amount_cents'],
    ['zero', 'default', { amount_cents: 0 }, 'amount_cents'],
    ['an amount above the maximum', 'default', { amount_cents: 1e15 }, 'amount_cents'],
    ['an amount above the largest number', 'default', '{"amount_cents":1e999}', 'amount_cents'],
    ['an amount as a string', 'default', { amount_cents: '2500' }, 'amount_cents'],
    ['no amount', 'default', {}, 'amount_cents'],
    [
      'an invalid email address',
      'default',
      { amount_cents: 5000, donor_email: 'ada' },
      'donor_email',
    ],
    ['a blank name', 'default', { amount_cents: 5000, donor_name: '  ' }, 'donor_name'],
    ['an unknown field', 'default', { amount_cents: 5000, currency: 'jpy' }, 'currency'],
    [
      'a chosen session',
      'default',
      { amount_cents: 5000, embed_session_id: 'es_1' },
      'embed_session_id',
    ],
    ['an array', 'default', [], 'body'],
    ['malformed JSON', 'default', '{"amount_cents":', 'body'],
  ] as const) {
    test(`rejects ${description}, naming ${field}, without an API request`, async () => {
      const { openForm, createPaymentIntent } = openTestServer();
      const { session_token } = await openForm(form);
      const error = await errorOf(await createPaymentIntent(session_token, donation));
      assert.deepEqual([error.status, error.type], [400, 'invalid_request']);
      assert.match(error.message, new RegExp(`^${field} `));
      assert.equal(intentCalls().length, 0);
    });
  }

  for (const [description, key] of [
    ['missing', ''],
    ['too long', 'k'.repeat(256)],
    ['more than one word', 'a b'],
  ] as const) {
    test(`rejects an Idempotency-Key that is ${description}`, async () => {
      const { openForm, createPaymentIntent } = openTestServer();
      const error = await errorOf(
        await createPaymentIntent((await openForm()).session_token, undefined, key),
      );
      assert.deepEqual([error.status, error.type], [400, 'invalid_request']);
      assert.match(error.message, /^Idempotency-Key /);
    });
  }

  test('reports an expired token as expired, so that the page renews it', async () => {
    const { openForm, createPaymentIntent } = openTestServer({ sessionSeconds: 60 });
    const { session_token } = await openForm();
    clock += 61_000;
    const error = await errorOf(await createPaymentIntent(session_token));
    assert.deepEqual([error.status, error.type], [401, 'unauthorized']);
    assert.match(error.message, /expired/);
  });

  const sign = (secret: string, typ: string) =>
    new SignJWT({ form: 'default', key: endOfKey('pk_test_sandbox'), origin: ORIGIN })
      .setProtectedHeader({ alg: 'HS256', typ })
      .setSubject('x')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(secret));
  const unsigned = [
    { alg: 'none', typ: 'connect-visitor+jwt' },
    { sub: 'x', form: 'default', key: endOfKey('pk_test_sandbox'), origin: ORIGIN, exp: 9e9 },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  for (const [description, token] of [
    ['missing', ''],
    ['malformed', 'abc.def.ghi'],
    ['unsigned', `${unsigned}.`],
    ['signed with another key', sign('s'.repeat(40), 'connect-visitor+jwt')],
    ['of another type', sign(SESSION_SECRET, 'JWT')],
    ['the API key itself', API_KEY],
  ] as const) {
    test(`rejects a token that is ${description}`, async () => {
      const response = await openTestServer().createPaymentIntent(await token);
      const challenge = (await token) ? 'Bearer error="invalid_token"' : 'Bearer';
      assert.equal(response.headers.get('www-authenticate'), challenge);
      const error = await errorOf(response);
      assert.deepEqual([error.status, error.type], [401, 'unauthorized']);
      assert.doesNotMatch(error.message, /expired/);
    });
  }

  test('rejects a token that was issued to another origin', async () => {
    const { openForm, createPaymentIntent } = openTestServer();
    const { session_token } = await openForm();
    const error = await errorOf(
      await createPaymentIntent(session_token, undefined, 'k', { origin: OTHER_ORIGIN }),
    );
    assert.equal(error.status, 401);
    assert.match(error.message, /another origin/);
  });

  test('returns the same intent for a repeated request after the session was renewed', async () => {
    const { openForm, createPaymentIntent } = openTestServer({ sessionSeconds: 60 });
    const first = await createPaymentIntent(
      (await openForm()).session_token,
      undefined,
      'one-click',
    );
    clock += 61_000;
    const repeated = await createPaymentIntent(
      (await openForm()).session_token,
      undefined,
      'one-click',
    );
    assert.deepEqual(await repeated.json(), await first.json());
  });

  test('renews a session that was revoked at the API, once, with the same idempotency key', async () => {
    const { openForm, createPaymentIntent } = openTestServer();
    const session = await openForm();
    upstream.revoke(session.id);
    const response = await createPaymentIntent(session.session_token, undefined, 'same-key');
    assert.equal(response.status, 201);
    const calls = intentCalls();
    assert.deepEqual(
      calls.map(({ headers }) => headers['idempotency-key']),
      ['same-key', 'same-key'],
    );
    assert.notDeepEqual(calls[0]?.body, calls[1]?.body);
  });

  test('renews only once if the new session is rejected too', async () => {
    const { openForm, createPaymentIntent } = openTestServer();
    const { session_token } = await openForm();
    const expired = { code: 'embed_session_expired', param: 'embed_session_id' } as const;
    upstream.failWith(({ path }) =>
      path.endsWith('/payment-intents')
        ? errorResponse(400, 'invalid_request', 'embed_session_id has expired.', {}, expired)
        : undefined,
    );
    assert.equal((await createPaymentIntent(session_token)).status, 400);
    assert.equal(intentCalls().length, 2);
  });

  test('waits for the API’s Retry-After, and then creates the intent', async () => {
    const { openForm, createPaymentIntent } = openTestServer();
    const { session_token } = await openForm();
    let remainingFailures = 1;
    upstream.failWith(() =>
      remainingFailures-- > 0
        ? errorResponse(429, 'rate_limited', 'Slow down.', { 'retry-after': '1' })
        : undefined,
    );
    const start = performance.now();
    assert.equal((await createPaymentIntent(session_token)).status, 201);
    assert.ok(performance.now() - start >= 950);
  });

  test('returns 429 with the remaining Retry-After if the wait is too long', async () => {
    const { openForm, createPaymentIntent } = openTestServer();
    const { session_token } = await openForm();
    upstream.failWith(() =>
      errorResponse(429, 'rate_limited', 'Slow down.', { 'retry-after': '42' }),
    );
    const response = await createPaymentIntent(session_token);
    assert.equal(response.headers.get('retry-after'), '42');
    const error = await errorOf(response);
    assert.deepEqual([error.status, error.type], [429, 'rate_limited']);
    assert.match(error.message, /42 seconds/);
    const second = await createPaymentIntent(session_token); // A second donor is rejected without another API request.
    assert.equal(second.status, 429);
    assert.equal(intentCalls().length, 1);
  });

  test('returns 503 with Retry-After when the API fails', async () => {
    const { openForm, createPaymentIntent } = openTestServer();
    const { session_token } = await openForm();
    upstream.failWith(() => errorResponse(500, 'server_error', 'secret detail'));
    const response = await createPaymentIntent(session_token);
    assert.equal(response.headers.get('retry-after'), '5');
    const error = await errorOf(response);
    assert.deepEqual([error.status, error.type], [503, 'unavailable']);
    assert.doesNotMatch(error.message, /secret detail/);
  });

  test('passes on the API’s validation error about the donation', async () => {
    const { openForm, createPaymentIntent } = openTestServer({
      forms: { default: { fund_choice_ids: ['fund_x'] } },
    });
    const { session_token } = await openForm();
    upstream.failWith(() =>
      errorResponse(400, 'invalid_request', 'fund_id must be a fund of this organization.'),
    );
    const error = await errorOf(
      await createPaymentIntent(session_token, { amount_cents: 500, fund_id: 'fund_x' }),
    );
    assert.deepEqual(error, {
      status: 400,
      type: 'invalid_request',
      message: 'fund_id must be a fund of this organization.',
    });
  });

  test('queues donations below the credential’s rate limit', async () => {
    const limits = { credential: { points: 4, seconds: 1 } };
    const { openForm, createPaymentIntent } = openTestServer({ limits });
    const start = performance.now();
    const { session_token } = await openForm(); // Opening the form takes two of the four requests.
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => createPaymentIntent(session_token)),
    );
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([201]));
    assert.ok(performance.now() - start >= 900);
  });

  describe('limits donation attempts', () => {
    const limit = { points: 2, seconds: 60 };
    const assertRateLimited = async (response: Response, subject: RegExp) => {
      assert.ok(Number(response.headers.get('retry-after')) > 50);
      const error = await errorOf(response);
      assert.equal(error.type, 'rate_limited');
      assert.match(error.message, subject);
    };

    test('by visitor, independent of other visitors', async () => {
      const { openForm, createPaymentIntent } = openTestServer({ limits: { visitor: limit } });
      const { session_token } = await openForm();
      await createPaymentIntent(session_token, { amount_cents: 1 }); // An invalid donation does not count.
      assert.equal((await createPaymentIntent(session_token)).status, 201);
      assert.equal((await createPaymentIntent(session_token)).status, 201);
      await assertRateLimited(await createPaymentIntent(session_token), /this visitor/);
      assert.equal((await createPaymentIntent((await openForm()).session_token)).status, 201);
      assert.equal(intentCalls().length, 3);
    });

    test('by network address, if the host provides it', async () => {
      let address = '2001:db8:0:1::1';
      const { openForm, createPaymentIntent } = openTestServer({
        limits: { address: limit },
        clientIp: () => address,
      });
      const tokens = [await openForm(), await openForm(), await openForm()];
      for (const [at, { session_token }] of tokens.slice(0, 2).entries()) {
        address = `2001:db8:0:1::${at + 2}`; // One household has a whole /64 network.
        assert.equal((await createPaymentIntent(session_token)).status, 201);
      }
      await assertRateLimited(await createPaymentIntent(tokens[2]!.session_token), /this address/);
      address = '2001:db8:0:2::1';
      assert.equal((await createPaymentIntent(tokens[2]!.session_token)).status, 201);
    });

    test('by form, independent of other forms', async () => {
      const { openForm, createPaymentIntent } = openTestServer({ limits: { form: limit } });
      const tokens = [await openForm(), await openForm()].map((session) => session.session_token);
      for (const token of tokens) assert.equal((await createPaymentIntent(token)).status, 201);
      await assertRateLimited(
        await createPaymentIntent((await openForm()).session_token),
        /this form/,
      );
      assert.equal(
        (await createPaymentIntent((await openForm('meals')).session_token)).status,
        201,
      );
    });
  });
});
