import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import type { EmbedSession, FormSession } from '@connect-embed/contract';
import { solveProof } from '@connect-embed/contract/solve-proof';
import { readError, readServerError, startApi } from '../../../test-support/app/start-api.ts';

const api = await startApi({ sandbox: true, env: { TRUST_PROXY: '1' } });
const { app, db, url, post, createKey } = api;

beforeEach(async () => {
  await db.deleteFrom('payment_intent').execute();
  await db.deleteFrom('card_reservation').execute();
  await api.pool.query('delete from rate_limit');
});

type Headers = Record<string, string>;

/** Opens an embed session with an API key of its own, so that rate limits do not interfere. */
async function openSession(): Promise<EmbedSession> {
  const { token } = await createKey(['payments:write']);
  return (await (await post('/embed-sessions', token, {})).json()) as EmbedSession;
}

async function postFromPage(path: string, body: object, headers: Headers = {}): Promise<Response> {
  const headersOfPage = { 'content-type': 'application/json', origin: url };
  const init = {
    method: 'POST',
    headers: { ...headersOfPage, ...headers },
    body: JSON.stringify(body),
  };
  return await app.request(path, init);
}

async function openHostedPage({ id }: EmbedSession, address: string) {
  const response = await postFromPage(
    `/embed/${id}/embed-sessions?form=${id}`,
    {},
    { 'x-forwarded-for': address },
  );
  const { session_token } = (await response.json()) as FormSession;
  const headersOf = (key: string) => ({
    'x-forwarded-for': address,
    authorization: `Bearer ${session_token}`,
    'idempotency-key': key,
  });
  const donate = (key: string = randomUUID(), extraHeaders: Headers = {}, fields: object = {}) =>
    postFromPage(
      `/embed/${id}/payment-intents`,
      { amount_cents: 500, ...fields },
      { ...headersOf(key), ...extraHeaders },
    );
  const challenge = async (key: string, body: object = {}) => {
    const challengeResponse = await postFromPage(`/embed/${id}/challenges`, body, headersOf(key));
    assert.equal(challengeResponse.status, 201);
    return ((await challengeResponse.json()) as { challenge: object }).challenge;
  };
  return { donate, challenge };
}

/** Returns how many payment intents were created. */
async function countPaymentIntents(): Promise<number> {
  return (await db.selectFrom('payment_intent').select('id').execute()).length;
}

/** Runs several attackers concurrently. Each sends its requests one after another. */
async function attack(
  attackers: (() => Promise<Response>)[],
  attemptsPerAttacker: number,
): Promise<Set<number>> {
  const statuses = new Set<number>();
  await Promise.all(
    attackers.map(async (donate) => {
      for (let i = 0; i < attemptsPerAttacker; i++) {
        const response = await donate();
        statuses.add(response.status);
        await response.arrayBuffer();
      }
    }),
  );
  return statuses;
}

const ADDRESS = '203.0.113.9';

describe('a card tester', () => {
  test('on hosted pages from one address creates at most 20 payment intents in 2,000 attempts', async () => {
    const attackers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { donate } = await openHostedPage(await openSession(), ADDRESS);
        return () => donate();
      }),
    );
    const statuses = await attack(attackers, 250);
    assert.deepEqual([...statuses].sort(), [201, 428]);
    const created = await countPaymentIntents();
    assert.ok(created > 0 && created <= 20, `${created} reached the processor`);
  });

  test('with tokens of embed sessions from one address has the same limit', async () => {
    const attackers = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { session_token } = await openSession();
        const from = { 'x-forwarded-for': ADDRESS };
        return () => post('/payment-intents', session_token, { amount_cents: 500 }, from);
      }),
    );
    const statuses = await attack(attackers, 100);
    assert.deepEqual([...statuses].sort(), [201, 429]);
    const created = await countPaymentIntents();
    assert.ok(created > 0 && created <= 20, `${created} reached the processor`);
  });

  test('with both at once has one shared limit', async () => {
    const session = await openSession();
    const { donate } = await openHostedPage(session, ADDRESS);
    const from = { 'x-forwarded-for': ADDRESS };
    const direct = () =>
      post('/payment-intents', session.session_token, { amount_cents: 500 }, from);
    await attack([() => donate(), direct], 60);
    assert.ok(
      (await countPaymentIntents()) <= 20,
      `${await countPaymentIntents()} reached the processor`,
    );
  });

  test('cannot reset the counts of a form with requests for others', async () => {
    const { challenge } = await openHostedPage(await openSession(), ADDRESS);
    for (let attempt = 0; attempt < 12; attempt += 1) await challenge(randomUUID());
    for (let index = 0; index < 500; index += 1)
      assert.equal((await app.request(`/embed/es_${index}/embed-form`)).status, 404);
    assert.match(JSON.stringify(await challenge(randomUUID())), /"level":2/);
  });

  test('cannot block the page for others', async () => {
    const session = await openSession();
    const { donate } = await openHostedPage(session, ADDRESS);
    await attack([() => donate()], 60);
    const donor = await openHostedPage(session, '198.51.100.7');
    assert.equal((await donor.donate()).status, 201);
  });
});

describe('a donation with the token of an embed session', () => {
  test('is rejected with the URL of the hosted page during an attack, and possible there', async (t) => {
    t.after(() => db.deleteFrom('attack_alarm').execute());
    const alarm = {
      id: 'att_2',
      organization_id: 'org_harbor',
      declined_cards: 20,
      attempted_cards: 20,
    };
    await db.insertInto('attack_alarm').values(alarm).execute();
    const session = await openSession();
    const direct = () => post('/payment-intents', session.session_token, { amount_cents: 500 });
    const error = await readError(await direct());
    assert.match(error, /^428 proof_required /);
    assert.ok(error.includes(session.embed_url), error);
    assert.equal(await countPaymentIntents(), 0);
    const { donate, challenge } = await openHostedPage(session, ADDRESS);
    const key = randomUUID();
    const proof = await solveProof(await challenge(key));
    assert.equal((await donate(key, { proof })).status, 201);
  });

  test('is rejected after too many attempts, with the URL of the hosted page', async () => {
    const session = await openSession();
    const from = { 'x-forwarded-for': ADDRESS };
    const direct = () =>
      post('/payment-intents', session.session_token, { amount_cents: 500 }, from);
    await attack([direct], 20);
    const error = await readError(await direct());
    assert.match(error, /^429 rate_limited /);
    assert.ok(error.includes(session.embed_url), error);
  });
});

describe('a donor on a hosted page', () => {
  test('behind a busy address solves a proof of work and donates', async () => {
    const session = await openSession();
    for (let i = 0; i < 20; i++) await (await openHostedPage(session, ADDRESS)).donate();
    const { donate, challenge } = await openHostedPage(session, ADDRESS);
    const key = randomUUID();
    assert.match(await readServerError(await donate(key)), /^428 proof_required Proof /);
    const proof = await solveProof(await challenge(key));
    assert.equal((await donate(key, { proof })).status, 201);
    assert.equal((await donate(randomUUID(), { proof })).status, 428); // Valid for one donation only.
  });

  test('gets the challenge instead of a 428 if the page accepts one', async () => {
    const accept = 'application/json, application/vnd.connect.challenge+json';
    const session = await openSession();
    for (let i = 0; i < 20; i++) await (await openHostedPage(session, ADDRESS)).donate();
    const { donate } = await openHostedPage(session, ADDRESS);
    const countBefore = await countPaymentIntents();
    const key = randomUUID();
    const response = await donate(key, { accept });
    assert.equal(response.status, 200);
    const { challenge } = (await response.json()) as { challenge: object };
    const proof = await solveProof(challenge);
    assert.equal((await donate(key, { accept, proof })).status, 201);
    assert.equal((await donate(randomUUID(), { accept, proof })).status, 200); // Valid for one donation only.
    assert.equal(await countPaymentIntents(), countBefore + 1);
  });

  test('solves a proof of work of level 2 during an attack', async (t) => {
    t.after(() => db.deleteFrom('attack_alarm').execute());
    const alarm = {
      id: 'att_1',
      organization_id: 'org_harbor',
      declined_cards: 20,
      attempted_cards: 20,
    };
    await db.insertInto('attack_alarm').values(alarm).execute();
    const { donate, challenge } = await openHostedPage(await openSession(), ADDRESS);
    const key = randomUUID();
    const challengeResponse = await challenge(key);
    assert.match(JSON.stringify(challengeResponse), /"level":2/);
    assert.equal((await donate(key, { proof: await solveProof(challengeResponse) })).status, 201);
  });

  test('must solve a harder proof of work if the honeypot field is filled', async () => {
    const { donate, challenge } = await openHostedPage(await openSession(), ADDRESS);
    const honeypotFields = { website: 'https://spam.example' };
    assert.equal((await donate('gift-1', {}, honeypotFields)).status, 428);
    assert.match(JSON.stringify(await challenge('gift-1', honeypotFields)), /"level":5/);
    assert.equal(await countPaymentIntents(), 0);
  });
});
