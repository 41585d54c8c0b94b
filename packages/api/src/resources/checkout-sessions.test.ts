import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import {
  CheckoutSession,
  DONOR_CONTEXT_HEADER,
  serializeDonorContext,
  type EmbedSession,
} from '@connect-embed/contract';
import { z } from 'zod';
import { ACCOUNT, startManualEventsSandbox } from '../../test-support/manual-events-sandbox.ts';
import { DECLINED_CARD, payCheckout } from '../../test-support/pay-checkout.ts';
import { readError } from '../../test-support/start-api.ts';
import { cancelIdleIntents } from '../payments/fraud/cancel-after-declines.ts';
import { reconcile } from '../payments/reconcile/reconcile.ts';
import { createForm } from './forms/edit-form.ts';
import { closeForm, publishForm } from './forms/publish-form.ts';

const sandboxApi = await startManualEventsSandbox();
const { stripe, get, post, token, db, deps, createKey, deliverEventsOf, eventsOf, deliverEvent } =
  sandboxApi;
const { donationOf, webhookEventTypes } = sandboxApi;

beforeEach(async () => {
  await db.deleteFrom('attack_alarm').execute();
  await db.deleteFrom('card_reservation').execute();
});

const RETURN_URLS = {
  success_url: 'https://give.example.org/give/meals?thanks={REFERENCE}',
  cancel_url: 'https://give.example.org/give/meals?amount=20',
};
const thanksOf = (reference: string) => RETURN_URLS.success_url.replace('{REFERENCE}', reference);
const DONOR = { donor_name: 'Ada Lovelace', donor_email: 'ada@example.org' };

async function sessionWith(terms: object = {}, credential = token): Promise<string> {
  const response = await post('/embed-sessions', credential, terms);
  return ((await response.json()) as EmbedSession).id;
}

/** Requests a payment page. */
async function request(fields: object = {}, headers: Record<string, string> = {}) {
  const embed_session_id = await sessionWith();
  const body = { amount_cents: 2000, embed_session_id, ...DONOR, ...RETURN_URLS, ...fields };
  return await post('/checkout-sessions', token, body, headers);
}

const OpenSession = CheckoutSession.extend({ url: z.string() }).strict();

async function open(fields: object = {}, headers: Record<string, string> = {}) {
  const response = await request(fields, headers);
  assert.equal(response.status, 201, await response.clone().text());
  return OpenSession.parse(await response.json());
}

const retrieve = (id: string) => stripe.checkout.sessions.retrieve(id, {}, ACCOUNT);

/** Returns the payment intent of a session, which exists once a card was tried. */
async function intentOf(id: string): Promise<string> {
  return String((await retrieve(id)).payment_intent);
}

/** The header of a server that identifies its donors, without a proof of work. */
const fromAddress = (address: string) => ({
  [DONOR_CONTEXT_HEADER]: serializeDonorContext({
    form: Buffer.from('one form'.padEnd(18, '.')).toString('base64url'),
    address: Buffer.from(address.padEnd(18, '.')).toString('base64url'),
    proof: 0,
  }),
});

describe('POST /checkout-sessions', () => {
  test('creates a payment page on the account of the organization', async () => {
    const { id, status, url, expires_at, reference } = await open();
    assert.equal(status, 'open');
    const session = await retrieve(id);
    assert.partialDeepStrictEqual(session, {
      mode: 'payment',
      submit_type: 'donate',
      amount_total: 2000,
      currency: 'usd',
      customer_email: DONOR.donor_email,
      payment_intent: null,
      success_url: thanksOf(reference),
      cancel_url: RETURN_URLS.cancel_url,
    });
    assert.equal(session.url, url);
    assert.equal(new Date(expires_at).getTime(), session.expires_at * 1000);
    const minutes = (session.expires_at - session.created) / 60;
    assert.ok(minutes >= 30 && minutes <= 60, `open for ${minutes} minutes`);
    assert.match(reference, /^\w{4}-\w{4}$/);
  });

  test('applies the terms of the form, and names the field', async () => {
    const locked = { preset_amounts_cents: [1000, 2000], amount_locked: true };
    for (const [terms, fields, field] of [
      [{ min_amount_cents: 1000 }, { amount_cents: 999 }, 'amount_cents'],
      [{ max_amount_cents: 1000 }, { amount_cents: 1001 }, 'amount_cents'],
      [locked, { amount_cents: 1500 }, 'amount_cents'],
      [{ fund_id: 'fund_kitchen' }, { fund_id: 'fund_meals' }, 'fund_id'],
      [{}, { fund_id: 'fund_meals' }, 'fund_id'],
      [{ frequencies: ['monthly'] }, {}, 'frequency'],
      [{}, { frequency: 'monthly' }, 'frequency'],
      [{}, { success_url: 'javascript:alert(1)' }, 'success_url'],
      [{}, { donor_email: 'ada@' }, 'donor_email'],
      [{}, { donor_email: undefined }, 'donor_email'],
      [{}, { embed_session_id: undefined }, 'embed_session_id'],
    ] as const) {
      const response = await request({ embed_session_id: await sessionWith(terms), ...fields });
      assert.match(await readError(response), new RegExp(`^400 invalid_request ${field} `));
    }
  });

  test('rejects the session of another organization', async () => {
    const foreign = await createKey(['payments:write'], 'org_lantern');
    const embed_session_id = await sessionWith({}, foreign.token);
    const error = await readError(await request({ embed_session_id }));
    assert.match(error, /^400 invalid_request embed_session_id /);
  });

  test('attributes the donation to the form, and rejects a form that is closed', async () => {
    const organizationId = 'org_harbor';
    const form = { name: 'Closed', slug: 'closed', terms: {} };
    const ref = { organizationId, id: await createForm(db, organizationId, form) };
    await db
      .insertInto('person')
      .values({ id: 'person_ana', name: 'Ana', email: 'ana@example.org', email_verified: true })
      .execute();
    await publishForm(db, ref, { revision: 1, personId: 'person_ana' });
    const embed_session_id = await sessionWith({ form: form.slug });
    const { id, url } = await open({ embed_session_id });
    await closeForm(db, ref);
    assert.match(await readError(await request({ embed_session_id })), /^404 not_found .*closed/);
    await payCheckout(url);
    await deliverEventsOf(await intentOf(id));
    const donation = await db
      .selectFrom('donation')
      .select('form_id')
      .where('processor_payment_intent_id', '=', await intentOf(id))
      .executeTakeFirst();
    assert.deepEqual(donation, { form_id: ref.id });
  });

  test('returns the same session for a repeated request', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await open({}, headers);
    assert.deepEqual(await open({}, headers), first);
    const other = await readError(await request({ amount_cents: 3000 }, headers));
    assert.match(other, /^409 conflict Idempotency-Key /);
  });

  test('keeps the reference of a request that is repeated after a crash', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await open({}, headers);
    // Deleting the row restores the state after a crash right after Stripe created the session.
    await db.deleteFrom('idempotency_key').execute();
    assert.equal((await open({}, headers)).reference, first.reference);
  });

  test('is rejected during an attack, and after too many cards from an address', async () => {
    const header = fromAddress('one address');
    for (let i = 0; i < 4; i++) await open({}, header);
    assert.match(await readError(await request({}, header)), /^428 proof_required /);
    const alarm = { id: 'att_checkout', declined_cards: 20, attempted_cards: 20 };
    await db
      .insertInto('attack_alarm')
      .values({ ...alarm, organization_id: 'org_harbor' })
      .execute();
    const other = await request({}, fromAddress('another address'));
    assert.match(await readError(other), /^428 proof_required /);
  });
});

describe('GET /checkout-sessions/{id}', () => {
  const load = async (id: string) => {
    const response = await get(`/checkout-sessions/${id}`, token);
    assert.equal(response.status, 200, await response.clone().text());
    return CheckoutSession.strict().parse(await response.json());
  };

  test('returns the session as it is now, although a repeated request returns the first response', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const session = await open({}, headers);
    assert.deepEqual(await load(session.id), session);
    await payCheckout(session.url);
    assert.deepEqual(await load(session.id), { ...session, status: 'complete', url: null });
    assert.deepEqual(await open({}, headers), session);
  });

  test('returns an expired session', async () => {
    const session = await open();
    await stripe.checkout.sessions.expire(session.id, {}, ACCOUNT);
    assert.deepEqual(await load(session.id), { ...session, status: 'expired', url: null });
  });

  test('responds 404 to another organization, and for an unknown session', async () => {
    const { id } = await open();
    const foreign = await createKey(['payments:write'], 'org_lantern');
    const ofAccount = await stripe.checkout.sessions.create(
      {
        mode: 'payment',
        success_url: RETURN_URLS.success_url,
        line_items: [
          {
            price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'A mug' } },
            quantity: 1,
          },
        ],
      },
      ACCOUNT,
    );
    for (const [unknown, credential] of [
      [id, foreign.token],
      [ofAccount.id, token],
      ['cs_test_none', token],
      ["none'--", token],
    ] as const) {
      const response = await get(`/checkout-sessions/${unknown}`, credential);
      assert.match(await readError(response), /^404 not_found /, unknown);
    }
  });
});

describe('a donation that is paid on the payment page', () => {
  test('is recorded once, with donor, fund, campaign and reference', async () => {
    const target = { fund_id: 'fund_kitchen', campaign_id: 'camp_winter' };
    const embed_session_id = await sessionWith(target);
    const { id, url, reference } = await open(
      { embed_session_id, metadata: { locale: 'de' } },
      fromAddress('paying address'),
    );
    const response = await payCheckout(url);
    assert.equal(response.status, 303);
    assert.equal(response.headers.get('location'), thanksOf(reference));
    const intent = await intentOf(id);
    const events = await eventsOf(intent);
    for (const event of [...events, ...events]) await deliverEvent(event);
    const donation = await donationOf(intent);
    assert.partialDeepStrictEqual(donation, {
      amount_cents: 2000,
      source: 'embed',
      locale: 'de',
      reference,
      ...target,
      ...DONOR,
    });
    assert.deepEqual(await webhookEventTypes(donation.id), ['donation.created']);
    const reservation = await db
      .selectFrom('card_reservation')
      .select(['payment_intent_id', 'card_count', 'ended_at'])
      .executeTakeFirstOrThrow();
    assert.partialDeepStrictEqual(reservation, { payment_intent_id: intent, card_count: 1 });
    assert.ok(reservation.ended_at);
  });

  test('is found by reconciliation if its events were lost', async () => {
    const { id, url } = await open();
    await payCheckout(url);
    const compareOptionsFor = () => ({ from: new Date(0), repair: true });
    await reconcile(
      deps,
      { organizationId: 'org_harbor', onFailure: assert.ifError, compareOptionsFor },
      { onDifference: () => {}, onChecked: () => {} },
    );
    assert.equal((await donationOf(await intentOf(id))).amount_cents, 2000);
  });

  test('is recorded after a declined card', async () => {
    const { id, url } = await open({}, fromAddress('clumsy address'));
    assert.equal((await payCheckout(url, DECLINED_CARD)).status, 402);
    await deliverEventsOf(await intentOf(id));
    assert.equal((await payCheckout(url)).status, 303);
    await deliverEventsOf(await intentOf(id));
    assert.equal((await donationOf(await intentOf(id))).donor_name, DONOR.donor_name);
  });
});

describe('a payment page', () => {
  test('accepts no card after too many declined ones', async () => {
    const { id, url } = await open({}, fromAddress('testing address'));
    for (let i = 0; i < 2; i++) assert.equal((await payCheckout(url, DECLINED_CARD)).status, 402);
    await deliverEventsOf(await intentOf(id));
    assert.equal((await retrieve(id)).status, 'expired');
    const response = await payCheckout(url);
    assert.match(await response.text(), /This page has expired/);
  });

  test('reserves its cards until it expires', async () => {
    await open({}, fromAddress('slow address'));
    const endedAfter = async (minutes: number) => {
      const created_at = new Date(Date.now() - minutes * 60_000);
      await db.updateTable('card_reservation').set({ created_at, retry_at: null }).execute();
      await cancelIdleIntents(deps);
      const row = await db.selectFrom('card_reservation').select('ended_at').executeTakeFirst();
      return row?.ended_at !== null;
    };
    assert.equal(await endedAfter(45), false);
    assert.equal(await endedAfter(51), true);
  });
});
