import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import {
  ATTACK_UNTIL_HEADER,
  ConnectError,
  DONOR_CONTEXT_HEADER,
  serializeDonorContext,
  invalidRequest,
  PROOF_REQUIRED_UNTIL_HEADER,
  type EmbedSession,
  type ErrorEnvelope,
  type PaymentIntent,
} from '@connect-embed/contract';
import { sql } from 'kysely';
import pino from 'pino';
import type Stripe from 'stripe';
import {
  ACCOUNT,
  startManualEventsSandbox,
} from '../../../test-support/app/manual-events-sandbox.ts';
import { readError } from '../../../test-support/app/start-api.ts';
import { createApp } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { createDeps } from '../../process/deps.ts';
import { CARD_BUDGETS, reserveCards } from './card-budget.ts';
import { cancelIdleIntents } from './cancel-after-declines.ts';

const api = await startManualEventsSandbox();
const {
  app,
  db,
  deps,
  stripe,
  post,
  deliverEventsOf,
  eventsOf,
  deliverEvent,
  createKey,
  sandboxUrl,
  url,
} = api;
/** The limit is 120 requests a minute for each API key, and a test may need more. */
const keys = await Promise.all(Array.from({ length: 8 }, () => createKey(['payments:write'])));

beforeEach(async () => {
  for (const table of ['card_reservation', 'attack_alarm', 'processor_event', 'mail'] as const) {
    await db.deleteFrom(table).execute();
  }
  await db.deleteFrom('payment_intent').execute();
  await sql`delete from request_budget`.execute(db);
});

const hashOf = (text: string) => Buffer.from(text.padEnd(18, '.')).toString('base64url');

interface Donor {
  address?: string;
  form?: string;
  proof?: number;
}

let requests = 0;
const headersOf = ({ address = 'one address', form = 'one form', proof = 0 }: Donor) => ({
  [DONOR_CONTEXT_HEADER]: serializeDonorContext({
    address: hashOf(address),
    form: hashOf(form),
    proof,
  }),
});

/** Sends a request as an integrator's server does for a donor. */
const postForDonor = (
  donor: Donor = {},
  extraHeaders: Record<string, string> = {},
  donation: object = {},
) =>
  post(
    '/payment-intents',
    keys[requests++ % keys.length]!.token,
    { amount_cents: 2000, ...donation },
    { ...headersOf(donor), ...extraHeaders },
  );

async function statuses(count: number, donorOf: (index: number) => Donor = () => ({})) {
  const responses = await Promise.all(
    Array.from({ length: count }, (_, index) => postForDonor(donorOf(index))),
  );
  return responses.map(({ status }) => status);
}
const created = (all: number[]) => all.filter((status) => status === 201).length;

async function open(donor: Donor = {}, donation: object = {}): Promise<string> {
  const response = await postForDonor(donor, {}, donation);
  assert.equal(response.status, 201, await response.clone().text());
  return ((await response.json()) as PaymentIntent).payment_intent_id;
}

const confirm = (id: string, payment_method: string) =>
  stripe.paymentIntents
    .confirm(id, { payment_method, return_url: 'https://page.example' }, ACCOUNT)
    .catch((error: Stripe.errors.StripeError) => error);

async function decline(id: string, cards: number): Promise<void> {
  for (let i = 0; i < cards; i++) await confirm(id, 'pm_card_visa_chargeDeclined');
}
const statusOf = async (id: string) =>
  (await stripe.paymentIntents.retrieve(id, {}, ACCOUNT)).status;

const cardsOf = async (): Promise<number> => {
  const { rows } = await sql<{ cards: number }>`
    select coalesce(sum(card_count), 0)::int as cards from card_reservation`.execute(db);
  return rows[0]!.cards;
};

/** Makes every reservation older, because the database's clock cannot be changed. */
const age = async (minutes: number) => {
  await ageReservations(minutes);
  await sql`update payment_intent set created_at = created_at - ${minutes} * interval '1 minute'`.execute(
    db,
  );
};

const ageReservations = (minutes: number) =>
  sql`update card_reservation set created_at = created_at - ${minutes} * interval '1 minute',
    retry_at = retry_at - ${minutes} * interval '1 minute'`.execute(db);

/** Adds open reservations that are half an hour old, for payment intents unknown to Stripe. */
const addUnknown = (organizationId: string, count: number) =>
  sql`insert into card_reservation
      (id, organization_id, form_key, has_proof_of_work, card_count, max_declines, payment_intent_id, created_at)
    select 'unknown_' || n, ${organizationId}, 'form', false, 5, 2, 'pi_unknown_' || n,
      now() - interval '30 minutes'
    from generate_series(1, ${count}::int) n`.execute(db);

const raiseAlarm = () =>
  db
    .insertInto('attack_alarm')
    .values({ id: 'att_1', organization_id: 'org_harbor', declined_cards: 20, attempted_cards: 20 })
    .execute();

describe('without a proof of work', () => {
  test('an address reserves at most its 20 cards, also with concurrent requests', async () => {
    const statusCodes = await statuses(40);
    assert.ok(created(statusCodes) > 0);
    assert.deepEqual([...new Set(statusCodes)].sort(), [201, 428]);
    assert.ok((await cardsOf()) <= CARD_BUDGETS.withoutProof.address, `${await cardsOf()} cards`);
    assert.match(await readError(await postForDonor()), /^428 proof_required Proof /);
    assert.equal((await postForDonor({ address: 'another' })).status, 201);
  });

  test('a form reserves at most its 100 cards, from any number of addresses', async () => {
    const statusCodes = await statuses(120, (index) => ({ address: `address ${index}` }));
    assert.deepEqual([...new Set(statusCodes)].sort(), [201, 428]);
    assert.ok(created(statusCodes) > 1);
    assert.ok((await cardsOf()) <= CARD_BUDGETS.withoutProof.form, `${await cardsOf()} cards`);
    const refused = await postForDonor({ address: 'another' });
    assert.equal(refused.status, 428);
    assert.ok(Date.parse(refused.headers.get(PROOF_REQUIRED_UNTIL_HEADER) ?? '') > Date.now());
    assert.equal((await postForDonor({ address: 'another', form: 'another form' })).status, 201);
  });

  test('a rejected request reserves no reference', async () => {
    await statuses(5);
    const count = async () =>
      (await db.selectFrom('reserved_reference').select('reference').execute()).length;
    const before = await count();
    assert.equal((await postForDonor()).status, 428);
    assert.equal(await count(), before);
  });

  test('a used-up address is not reported as a used-up form', async () => {
    await statuses(5);
    assert.equal((await postForDonor()).headers.get(PROOF_REQUIRED_UNTIL_HEADER), null);
  });

  test('another process, and a restarted one, continue the same counts', async () => {
    const all = await statuses(10);
    const config = readConfig({
      API_BASE_URL: url,
      API_SECRET: 'a secret of thirty-two characters',
      SANDBOX_URL: sandboxUrl,
    });
    const other = createDeps(
      config,
      { db, pool: api.pool, close: async () => {} },
      pino({ level: 'silent' }),
    );
    const response = await createApp(other).request('/api/v1/payment-intents', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${keys[0]!.token}`,
        ...headersOf({}),
      },
      body: '{"amount_cents":2000}',
    });
    await other.liveStreams.stop();
    assert.ok(created(all) > 0);
    assert.equal(response.status, 428);
  });

  test('a payment intent is canceled at its second decline, and its cards are not returned', async () => {
    const id = await open();
    await decline(id, 2);
    const reserved = await cardsOf();
    await deliverEventsOf(id);
    assert.equal(await statusOf(id), 'canceled');
    assert.equal(await cardsOf(), reserved);
  });

  test('cards that were tried before the cancellation count, even beyond the reservation', async () => {
    const id = await open();
    await decline(id, 18); // In a burst, before any event arrives.
    await deliverEventsOf(id);
    assert.equal(await statusOf(id), 'canceled');
    assert.equal((await postForDonor()).status, 428);
  });

  test('a paid intent returns the cards that were not tried', async () => {
    for (let i = 0; i < 8; i++) {
      const id = await open();
      await confirm(id, 'pm_card_visa');
      await deliverEventsOf(id);
    }
    assert.equal(await cardsOf(), 8);
  });

  test('a payment intent that a crashed process could not save is limited as well', async () => {
    const forgetSaved = async () => {
      await db.deleteFrom('payment_intent').execute();
      await db.updateTable('card_reservation').set({ payment_intent_id: null }).execute();
    };
    const declined = await open();
    await forgetSaved();
    await decline(declined, 2);
    await deliverEventsOf(declined);
    assert.equal(await statusOf(declined), 'canceled');
    await db.deleteFrom('card_reservation').execute();
    const paid = await open();
    await forgetSaved();
    await confirm(paid, 'pm_card_visa');
    await deliverEventsOf(paid);
    assert.equal(await cardsOf(), 1);
  });

  test('an address tries at most its 20 cards although each event takes two seconds', async () => {
    const id = await open();
    assert.equal((await postForDonor()).status, 428, 'A second list could be tried meanwhile.');
    const cardsInTwoSeconds = 2000 / 300; // Stripe tries one card at a time: `MIN_CARD_SECONDS`.
    await decline(id, 2 + Math.ceil(cardsInTwoSeconds));
    await deliverEventsOf(id);
    assert.equal(await statusOf(id), 'canceled');
    assert.equal((await postForDonor()).status, 428);
    assert.ok((await cardsOf()) >= 2 + cardsInTwoSeconds, 'The reservation covers them.');
    assert.ok((await cardsOf()) <= CARD_BUDGETS.withoutProof.address);
  });

  test('ten minutes after its end a payment intent no longer counts', async () => {
    const id = await open();
    await decline(id, 2);
    await deliverEventsOf(id);
    assert.equal((await postForDonor()).status, 428);
    await sql`update card_reservation set ended_at = ended_at - interval '11 minutes'`.execute(db);
    assert.equal((await postForDonor()).status, 201);
  });

  test('an abandoned intent keeps its cards until it is canceled after three minutes', async () => {
    const id = await open();
    await age(2);
    assert.equal(await cancelIdleIntents(deps), 0);
    assert.equal((await postForDonor()).status, 428);
    await age(2);
    assert.equal(await cancelIdleIntents(deps), 0);
    assert.equal(await statusOf(id), 'canceled');
    assert.equal((await postForDonor()).status, 201);
  });

  test('a donor who has waited in line for an hour has these times, too', async () => {
    const [unattempted, declined] = [await open(), await open({ address: 'another' })];
    await decline(declined, 1);
    await deliverEventsOf(declined);
    await ageReservations(60);
    assert.equal(await cancelIdleIntents(deps), 0);
    await age(4);
    assert.equal(await cancelIdleIntents(deps), 0);
    assert.equal(await statusOf(unattempted), 'canceled');
    assert.equal(await statusOf(declined), 'requires_payment_method');
    await age(60);
    assert.equal(await cancelIdleIntents(deps), 0);
    assert.equal(await statusOf(declined), 'canceled');
  });

  test('a donor has twenty minutes for another card or the authentication by the bank', async () => {
    const [declined, pending] = [await open(), await open({ address: 'another' })];
    await decline(declined, 1);
    await deliverEventsOf(declined);
    await confirm(pending, 'pm_card_authenticationRequired');
    const openStatuses = ['requires_payment_method', 'requires_action'];
    assert.deepEqual([await statusOf(declined), await statusOf(pending)], openStatuses);
    await age(4);
    assert.equal(await cancelIdleIntents(deps), 0);
    assert.deepEqual([await statusOf(declined), await statusOf(pending)], openStatuses);
    await age(30);
    assert.equal(await cancelIdleIntents(deps), 0);
    assert.deepEqual([await statusOf(declined), await statusOf(pending)], ['canceled', 'canceled']);
  });

  test('the first payment of a subscription counts as well', async () => {
    const id = await open({}, { frequency: 'monthly', donor_email: 'ada@example.org' });
    await decline(id, 2);
    await deliverEventsOf(id);
    assert.equal(await statusOf(id), 'canceled');
    const paid = await open(
      { address: 'another' },
      { frequency: 'monthly', donor_email: 'ada@example.org' },
    );
    const reservedBefore = await cardsOf();
    await confirm(paid, 'pm_card_visa');
    await deliverEventsOf(paid);
    assert.equal(await cardsOf(), reservedBefore - 12);
  });

  test('a repeated request reserves nothing', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const donation = { amount_cents: 2000 };
    const { token } = keys[0]!;
    const donate = () => post('/payment-intents', token, donation, { ...headersOf({}), ...key });
    const first = (await (await donate()).json()) as PaymentIntent;
    const reservedBefore = await cardsOf();
    // Simulates a crash that lost the response.
    await db.deleteFrom('idempotency_key').execute();
    const repeated = (await (await donate()).json()) as PaymentIntent;
    assert.equal(repeated.payment_intent_id, first.payment_intent_id);
    assert.equal(await cardsOf(), reservedBefore);
  });

  test('a request that the processor rejects reserves nothing', async (t) => {
    const rejecting = t.mock.method(deps.processor, 'createPaymentIntent', () =>
      Promise.reject(invalidRequest('amount_cents', 'is not an amount of this currency.')),
    );
    assert.equal((await postForDonor()).status, 400);
    assert.equal(await cardsOf(), 0);
    rejecting.mock.mockImplementation(() =>
      Promise.reject(new ConnectError('unavailable', 'Away.')),
    );
    assert.equal((await postForDonor()).status, 503);
    assert.ok((await cardsOf()) > 0, 'Nobody knows whether there is an intent.');
  });
});

describe('with a proof of work', () => {
  test('a donor can donate although others used up the form and the address', async () => {
    await statuses(40);
    await statuses(120, (index) => ({ address: `address ${index}` }));
    assert.equal((await postForDonor()).status, 428);
    for (let i = 0; i < 10; i++) assert.equal((await postForDonor({ proof: 1 })).status, 201);
  });

  test('a payment intent accepts eight declines, and its cards are counted separately', async () => {
    const id = await open({ proof: 1 });
    await decline(id, 7);
    await deliverEventsOf(id);
    assert.equal(await statusOf(id), 'requires_payment_method');
    assert.equal((await postForDonor()).status, 201);
    await decline(id, 1);
    await deliverEventsOf(id);
    assert.equal(await statusOf(id), 'canceled');
  });

  test('a few addresses that try no card do not use up a form', async () => {
    for (let i = 0; i < 136; i++) {
      await reserveCards(db, {
        requestKey: randomUUID(),
        organizationId: 'org_harbor',
        form: hashOf('one form'),
        address: hashOf(`address ${i % 3}`),
        hasProof: true,
        isAttacked: false,
      });
    }
    assert.equal((await postForDonor({ proof: 1 })).status, 201);
  });

  test('a payment intent counts with all cards that it may take after one was declined', async () => {
    const id = await open({ proof: 1 });
    assert.equal(await cardsOf(), 2);
    const other = {
      id: 'other',
      address_hash: hashOf('one address'),
      form_key: hashOf('another form'),
    };
    await db
      .insertInto('card_reservation')
      .values({
        ...other,
        organization_id: 'org_harbor',
        has_proof_of_work: true,
        card_count: CARD_BUDGETS.withProof.address - 12,
        max_declines: 8,
      })
      .execute();
    assert.equal((await postForDonor({ proof: 1 })).status, 201);
    await decline(id, 1);
    await deliverEventsOf(id);
    // 588 of the other, 2 of the second and 19 of the first: 609.
    assert.equal((await postForDonor({ proof: 1 })).status, 429);
  });

  test('the budget is limited as well: 429, with a header that names cards as the reason', async () => {
    const used = {
      organization_id: 'org_harbor',
      form_key: hashOf('one form'),
      address_hash: hashOf('one address'),
      has_proof_of_work: true,
      card_count: CARD_BUDGETS.withProof.address,
      max_declines: 8,
    };
    await db
      .insertInto('card_reservation')
      .values({ id: 'used', ...used })
      .execute();
    const response = await postForDonor({ proof: 1 });
    assert.match(
      await readError(response.clone()),
      /^429 rate_limited Too many attempts from this address/,
    );
    const { error } = (await response.json()) as ErrorEnvelope;
    assert.equal(error.code, 'card_limit_reached');
    assert.equal((await postForDonor({ proof: 1, address: 'another' })).status, 201);
  });
});

describe('during an attack', () => {
  test('a request without a proof is rejected, and a header names the end of the attack', async () => {
    await raiseAlarm();
    const response = await postForDonor();
    assert.equal(response.status, 428);
    assert.ok(Date.parse(response.headers.get(ATTACK_UNTIL_HEADER) ?? '') > Date.now());
    assert.equal((await postForDonor({ proof: 2 })).status, 201);
  });

  test('a payment intent accepts two declines, even with a proof', async () => {
    const intentBeforeAttack = await open({ proof: 1 });
    await raiseAlarm();
    const id = await open({ proof: 2 });
    for (const each of [intentBeforeAttack, id]) {
      await decline(each, 1);
      await deliverEventsOf(each);
      assert.equal(await statusOf(each), 'requires_payment_method');
      await decline(each, 1);
      await deliverEventsOf(each);
      assert.equal(await statusOf(each), 'canceled');
    }
  });

  test('open intents that had a decline are canceled when the alarm starts', async () => {
    const [declined, untried] = [await open({ proof: 1 }), await open({ proof: 1 })];
    await decline(declined, 1);
    await deliverEventsOf(declined);
    for (let i = 0; i < 19; i++) {
      const event = { id: `evt_${randomUUID()}`, object: 'event', created: 1 };
      const object = {
        id: `pi_${randomUUID()}`,
        object: 'payment_intent',
        amount: 500,
        currency: 'usd',
        metadata: { organization_id: 'org_harbor' },
      };
      await deliverEvent({ ...event, type: 'payment_intent.payment_failed', data: { object } });
    }
    assert.equal((await db.selectFrom('attack_alarm').selectAll().execute()).length, 1);
    assert.equal(await statusOf(declined), 'canceled');
    assert.equal(await statusOf(untried), 'requires_payment_method');
    await deliverEventsOf(untried);
    assert.ok((await eventsOf(declined)).length > 0);
  });
});

describe('donor identification', () => {
  test('a caller with a session’s token cannot set the donor context', async () => {
    const opened = await post('/embed-sessions', keys[0]!.token, {});
    const { session_token } = (await opened.json()) as EmbedSession;
    const responses = [];
    for (let i = 0; i < 30; i++) {
      const headers = headersOf({ address: `address ${i}`, form: `form ${i}`, proof: 5 });
      responses.push(
        (await post('/payment-intents', session_token, { amount_cents: 500 }, headers)).status,
      );
    }
    assert.ok(created(responses) > 0);
    assert.ok((await cardsOf()) <= CARD_BUDGETS.withoutProof.form);
    assert.deepEqual([...new Set(responses)], [201, 429]);
  });

  test('requests with an API key and no donor context reserve no cards', async () => {
    for (let i = 0; i < 30; i++) {
      const token = keys[requests++ % keys.length]!.token;
      assert.equal((await post('/payment-intents', token, { amount_cents: 500 })).status, 201);
    }
    assert.equal(await cardsOf(), 0);
  });

  test('an invalid header is rejected by name', async () => {
    for (const text of [
      '',
      'form=x',
      `form=${hashOf('a')}&proof=-1`,
      `form=${hashOf('a')}&proof=1&x=1`,
    ]) {
      const response = await postForDonor({}, { [DONOR_CONTEXT_HEADER]: text });
      assert.match(await readError(response), /^400 invalid_request Connect-Donor-Context /);
    }
  });

  test('network addresses are saved in no table', async () => {
    const opened = await post('/embed-sessions', keys[0]!.token, {});
    const { session_token } = (await opened.json()) as EmbedSession;
    const env = { incoming: { socket: { remoteAddress: '203.0.113.77' } } };
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${session_token}` },
      body: '{"amount_cents":500}',
    };
    assert.equal((await app.request('/api/v1/payment-intents', init, env)).status, 201);
    const [row] = await db.selectFrom('card_reservation').selectAll().execute();
    assert.match(row?.address_hash ?? '', /^[\w-]{24}$/);
    assert.doesNotMatch(JSON.stringify(row), /203\.0\.113/);
  });
});

describe('cancelIdleIntents', () => {
  test('releases the reservations of an organization although calls for another one fail', async () => {
    const id = await open();
    await age(25);
    await addUnknown('org_lantern', 320);
    assert.ok((await cancelIdleIntents(deps)) > 0);
    await cancelIdleIntents(deps);
    assert.equal(await statusOf(id), 'canceled');
    const { rows } = await sql<{ due: number }>`
      select count(*)::int as due from card_reservation
      where ended_at is null and coalesce(retry_at, '-infinity') < now()`.execute(db);
    assert.equal(rows[0]!.due, 0, 'Each failure is tried again later, not in the next minute.');
  });

  test('releases reservations at once if the account was disconnected', async () => {
    const lanternOrganization = db.updateTable('organization').where('id', '=', 'org_lantern');
    const { account } = await db
      .selectFrom('organization')
      .select('processor_account_id as account')
      .where('id', '=', 'org_lantern')
      .executeTakeFirstOrThrow();
    await lanternOrganization.set({ processor_account_id: 'acct-that-left' }).execute();
    await addUnknown('org_lantern', 1);
    assert.equal(await cancelIdleIntents(deps), 0);
    assert.equal(await cardsOf(), 0);
    await lanternOrganization.set({ processor_account_id: account }).execute();
  });

  test('releases a reservation after a day although every call to the processor fails', async () => {
    await addUnknown('org_lantern', 1);
    assert.equal(await cancelIdleIntents(deps), 1);
    assert.ok((await cardsOf()) > 0);
    await age(24 * 60);
    assert.equal(await cancelIdleIntents(deps), 0);
    assert.equal(await cardsOf(), 0);
  });

  test('releases the reservation of a failed request after twenty minutes', async (t) => {
    t.mock.method(deps.processor, 'createPaymentIntent', () =>
      Promise.reject(new ConnectError('unavailable', 'Away.')),
    );
    assert.equal((await postForDonor()).status, 503);
    await age(19);
    await cancelIdleIntents(deps);
    assert.ok((await cardsOf()) > 0, 'The payment intent may exist, and be in use.');
    await age(10); // The next attempt is due after half of the age.
    await cancelIdleIntents(deps);
    assert.equal(await cardsOf(), 0);
  });

  test('does not cancel payments by voucher or bank transfer, and returns their cards', async (t) => {
    const id = await open();
    t.mock.method(deps.processor, 'retrieveIdleState', async () => 'not_card');
    await age(30);
    assert.equal(await cancelIdleIntents(deps), 0);
    assert.equal(await statusOf(id), 'requires_payment_method');
    assert.equal(await cardsOf(), 0);
  });
});
