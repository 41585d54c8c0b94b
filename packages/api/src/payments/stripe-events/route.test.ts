import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { Donation, Donor, type PaymentIntent } from '@connect-embed/contract';
import type Stripe from 'stripe';
import { eventually, readError, startApi, stripeAt } from '../../../test-support/app/start-api.ts';

const ACCOUNT = { stripeAccount: 'acct_harbor_street' };

// The first sandbox delivers its events itself; those of the second one are delivered by the tests.
const apiWithEvents = await startApi({ sandbox: true });
const apiWithManualEvents = await startApi({ sandbox: true, sandboxEvents: false });
const stripe = stripeAt(apiWithManualEvents.sandboxUrl);
const key = await apiWithManualEvents.createKey();

/** The email address of a new donor. */
const newEmail = () => `${randomUUID()}@example.org`;

async function openIntent(
  api: typeof apiWithManualEvents,
  token: string,
  donation: object,
): Promise<string> {
  const response = await api.post('/payment-intents', token, donation);
  assert.equal(response.status, 201);
  return ((await response.json()) as PaymentIntent).payment_intent_id;
}

/**
 * Confirms the intent with each card in turn.
 *
 * @returns the events of the intent, oldest first
 */
async function pay(id: string, ...cards: string[]): Promise<Stripe.Event[]> {
  for (const payment_method of cards) {
    await stripe.paymentIntents.confirm(id, { payment_method }, ACCOUNT).catch(() => {});
  }
  const { data } = await stripe.events.list({ limit: 100 }, ACCOUNT);
  return data.filter((event) => (event.data.object as { id?: string }).id === id).reverse();
}

async function deliver(
  event: object,
  options: { at?: number; secret?: string; appendedBytes?: string } = {},
) {
  const payload = JSON.stringify(event);
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: options.secret ?? 'whsec_sandbox',
    ...(options.at && { timestamp: options.at }),
  });
  return await apiWithManualEvents.app.request('/processor-events', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload + (options.appendedBytes ?? ''),
  });
}

const outcomeOf = async (response: Response | Promise<Response>) =>
  ((await (await response).json()) as { outcome: string }).outcome;

const donationsOf = (id: string) =>
  apiWithManualEvents.db
    .selectFrom('donation')
    .selectAll()
    .where('processor_payment_intent_id', '=', id)
    .execute();

const intentState = (id: string) =>
  apiWithManualEvents.db
    .selectFrom('payment_intent')
    .select(['status', 'failure_code'])
    .where('id', '=', id)
    .executeTakeFirst();

const findByType = (events: Stripe.Event[], type: string) => {
  const found = events.find((event) => event.type === type);
  assert.ok(found, type);
  return found;
};

function* permutations<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length < 2) yield [...items];
  for (const [index, first] of items.entries()) {
    if (items.length < 2) return;
    for (const rest of permutations(items.toSpliced(index, 1))) yield [first, ...rest];
  }
}

describe('a paid donation', () => {
  test('is recorded with its donor when the sandbox reports it', async () => {
    const { token } = await apiWithEvents.createKey();
    const email = newEmail();
    const fields = { amount_cents: 5000, fund_id: 'fund_meals', donor_email: email };
    const id = await openIntent(apiWithEvents, token, { ...fields, donor_name: 'Ana Ruiz Prado' });
    const client = stripeAt(apiWithEvents.sandboxUrl);
    await client.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, ACCOUNT);

    const donation = await eventually(async () => {
      const { data } = (await (await apiWithEvents.get('/donations?limit=1', token)).json()) as {
        data: Donation[];
      };
      return data[0]?.donor_email === email ? data[0] : undefined;
    });
    assert.partialDeepStrictEqual(Donation.strict().parse(donation), {
      amount_cents: 5000,
      net_amount_cents: 5000 - 175,
      fund_name: 'Weekend meals for children',
      donor_name: 'Ana Ruiz Prado',
      refund_status: 'none',
      source: 'api',
    });
    const donor = await apiWithEvents.get(`/donors/${donation.contact_id}`, token);
    assert.partialDeepStrictEqual(Donor.strict().parse(await donor.json()), {
      email,
      first_name: 'Ana',
      last_name: 'Ruiz Prado',
    });
  });

  test('is recorded once, however often it is reported and at the same time', async () => {
    const id = await openIntent(apiWithManualEvents, key.token, {
      amount_cents: 900,
      donor_email: newEmail(),
    });
    const event = findByType(await pay(id, 'pm_card_visa'), 'payment_intent.succeeded');
    const responses = await Promise.all(Array.from({ length: 20 }, () => deliver(event)));
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    const outcomes = await Promise.all(responses.map(outcomeOf));
    assert.equal(outcomes.filter((outcome) => outcome === 'recorded').length, 1);
    assert.equal(await outcomeOf(deliver({ ...event, id: `evt_${randomUUID()}` })), 'duplicate');
    assert.equal((await donationsOf(id)).length, 1);
  });

  test("is added to the donor with the same email address, without changing the donor's name", async () => {
    const email = newEmail();
    for (const [donor_email, donor_name] of [
      [email, 'Ana Ruiz'],
      [email.toUpperCase(), 'Somebody Else'],
    ]) {
      const id = await openIntent(apiWithManualEvents, key.token, {
        amount_cents: 800,
        donor_email,
        donor_name,
      });
      await deliver(findByType(await pay(id, 'pm_card_visa'), 'payment_intent.succeeded'));
      const [donation] = await donationsOf(id);
      assert.equal(donation?.donor_name, donor_name);
    }
    const donors = await apiWithManualEvents.db
      .selectFrom('donor')
      .select(['first_name', 'last_name'])
      .where('email_key', '=', email)
      .execute();
    assert.deepEqual(donors, [{ first_name: 'Ana', last_name: 'Ruiz' }]);
  });

  test('needs no donor', async () => {
    const id = await openIntent(apiWithManualEvents, key.token, { amount_cents: 800 });
    await deliver(findByType(await pay(id, 'pm_card_visa'), 'payment_intent.succeeded'));
    assert.partialDeepStrictEqual(await donationsOf(id), [{ contact_id: null, donor_email: null }]);
  });

  test('is recorded even if its payment intent is not stored', async () => {
    const id = await openIntent(apiWithManualEvents, key.token, { amount_cents: 800 });
    await apiWithManualEvents.db.deleteFrom('payment_intent').where('id', '=', id).execute();
    await deliver(findByType(await pay(id, 'pm_card_visa'), 'payment_intent.succeeded'));
    assert.equal((await donationsOf(id)).length, 1);
    assert.equal((await intentState(id))?.status, 'succeeded');
  });
});

describe('events in any order', () => {
  test('result in the same state: declined twice, then paid', async () => {
    const cards = ['pm_card_visa_chargeDeclined', 'pm_card_visa_chargeDeclinedInsufficientFunds'];
    const sample = await openIntent(apiWithManualEvents, key.token, { amount_cents: 1200 });
    const count = (await pay(sample, ...cards, 'pm_card_visa')).length;
    const orders = permutations([...Array(count).keys()]);
    for (const order of orders) {
      const id = await openIntent(apiWithManualEvents, key.token, { amount_cents: 1200 });
      const events = await pay(id, ...cards, 'pm_card_visa');
      for (const index of order) assert.equal((await deliver(events[index]!)).status, 200);
      assert.equal((await donationsOf(id)).length, 1, order.join());
      assert.deepEqual(await intentState(id), { status: 'succeeded', failure_code: null });
    }
  });

  test('result in the same state when delivered at once', async () => {
    const id = await openIntent(apiWithManualEvents, key.token, { amount_cents: 1300 });
    const events = await pay(id, 'pm_card_visa_chargeDeclined', 'pm_card_visa');
    await Promise.all([...events, ...events].map((event) => deliver(event)));
    assert.equal((await donationsOf(id)).length, 1);
    assert.equal((await intentState(id))?.status, 'succeeded');
  });
});

describe('a payment that failed', () => {
  test('is stored with its reason, and is not a donation', async () => {
    const id = await openIntent(apiWithManualEvents, key.token, { amount_cents: 1200 });
    const events = await pay(id, 'pm_card_visa_chargeDeclinedInsufficientFunds');
    await deliver(findByType(events, 'payment_intent.payment_failed'));
    assert.deepEqual(await intentState(id), {
      status: 'failed',
      failure_code: 'insufficient_funds',
    });
    assert.deepEqual(await donationsOf(id), []);
  });
});

describe('POST /processor-events', () => {
  test('rejects a body without a valid signature', async () => {
    const id = await openIntent(apiWithManualEvents, key.token, { amount_cents: 1200 });
    const event = findByType(await pay(id, 'pm_card_visa'), 'payment_intent.succeeded');
    const now = Math.floor(Date.now() / 1000);
    for (const response of [
      await deliver(event, { secret: 'whsec_other' }),
      await deliver(event, { appendedBytes: ' ' }),
      await deliver(event, { at: now - 400 }),
      await deliver(event, { at: now + 400 }),
      await apiWithManualEvents.app.request('/processor-events', { method: 'POST', body: '{}' }),
    ]) {
      assert.match(await readError(response), /^400 invalid_request Stripe-Signature /);
    }
    assert.deepEqual(await donationsOf(id), []);
  });

  test('ignores events of the other mode, which a live endpoint also receives', async () => {
    const id = await openIntent(apiWithManualEvents, key.token, { amount_cents: 1200 });
    const event = findByType(await pay(id, 'pm_card_visa'), 'payment_intent.succeeded');
    const response = await deliver({ ...event, livemode: true });
    assert.equal(response.status, 200);
    assert.equal(await outcomeOf(response), 'ignored');
    assert.deepEqual(await donationsOf(id), []);
    assert.equal(await outcomeOf(deliver(event)), 'recorded');
  });

  test('ignores an event whose account is not the one of the donation', async () => {
    const id = await openIntent(apiWithManualEvents, key.token, { amount_cents: 1200 });
    const event = findByType(await pay(id, 'pm_card_visa'), 'payment_intent.succeeded');
    const { account: _, ...withoutAccount } = event;
    for (const foreign of [
      { ...event, account: 'acct_lantern' },
      { ...event, account: 'acct_of_nobody' },
      withoutAccount,
    ]) {
      assert.equal(await outcomeOf(deliver(foreign)), 'ignored');
    }
    assert.deepEqual(await donationsOf(id), []);
  });

  test('ignores payments that were not created here, and unknown event types', async () => {
    const intent = await stripe.paymentIntents.create(
      { amount: 4000, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' },
      ACCOUNT,
    );
    for (const event of await pay(intent.id))
      assert.equal(await outcomeOf(deliver(event)), 'ignored');
    assert.deepEqual(await donationsOf(intent.id), []);
    const { data } = await stripe.events.list({ limit: 1, type: 'charge.succeeded' }, ACCOUNT);
    assert.equal(await outcomeOf(deliver(data[0]!)), 'ignored');
  });

  test('acknowledges events of version 2 and other events that are not used, whatever they contain', async () => {
    const ping = {
      id: 'evt_test_65R2GpHc',
      object: 'v2.core.event',
      type: 'v2.core.event_destination.ping',
      created: '2026-11-28T10:00:00.000Z',
      livemode: false,
      context: null,
      related_object: { id: 'ed_test_61R2', type: 'v2.core.event_destination', url: '/v2/core' },
    };
    for (const event of [
      ping,
      { ...ping, type: 'v1.payment_intent.succeeded' },
      { ...ping, type: 'payout.paid' },
      { id: 'evt_new', object: 'event', type: 'tax.settings.updated', data: null },
    ]) {
      const response = await deliver(event);
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), { received: true, outcome: 'ignored' });
    }
  });

  test("responds 503, so that Stripe retries, if Stripe's API does not confirm the event", async () => {
    const id = await openIntent(apiWithManualEvents, key.token, { amount_cents: 1200 });
    const [created] = await pay(id);
    const claim = { ...created, id: 'evt_claim', type: 'payment_intent.succeeded' };
    assert.match(await readError(await deliver(claim)), /^503 unavailable /);
    const paid = findByType(await pay(id, 'pm_card_visa'), 'payment_intent.succeeded');
    assert.equal(await outcomeOf(deliver(paid)), 'recorded');
  });
});

describe('an event for which Stripe refuses a call', () => {
  /** An event about the payout of an account; its object is fetched from Stripe. */
  const payoutEvent = (account: string, name: string) => ({
    id: `evt_${name}`,
    object: 'event',
    type: 'payout.paid',
    created: 1,
    livemode: false,
    account,
    data: { object: { id: `po_${name}` } },
  });

  /** Delivers an event, and returns the reason in the response and in the only warning about it. */
  async function deliverRefused(event: { id: string }) {
    const response = await deliver(event);
    assert.equal(response.status, 200);
    const { outcome, reason } = (await response.json()) as { outcome: string; reason: string };
    assert.equal(outcome, 'refused');
    const lines = apiWithManualEvents.logged
      .map((line) => JSON.parse(line) as { level: number; event_id?: string; reason?: string })
      .filter(({ level, event_id }) => level > 30 && event_id === event.id);
    assert.deepEqual(
      lines.map((line) => line.reason),
      [reason],
    );
    return reason;
  }

  test('is acknowledged and logged if the object does not exist', async () => {
    const event = payoutEvent(ACCOUNT.stripeAccount, 'missing');
    assert.equal(await deliverRefused(event), 'resource_missing');
    const metadata = { organization_id: 'org_harbor' };
    const paid = { type: 'payment_intent.succeeded', data: { object: { id: 'pi_no', metadata } } };
    assert.equal(await deliverRefused({ ...event, id: 'evt_pi', ...paid }), 'resource_missing');
  });

  test('is acknowledged and logged if the account is no longer connected', async () => {
    const setAccount = (processor_account_id: string | null) =>
      apiWithManualEvents.db
        .updateTable('organization')
        .set({ processor_account_id })
        .where('id', '=', 'org_harbor')
        .execute();
    await setAccount('acct_that-left');
    try {
      assert.equal(await deliverRefused(payoutEvent('acct_that-left', 'left')), 'account_invalid');
    } finally {
      await setAccount(ACCOUNT.stripeAccount);
    }
  });

  for (const fault of ['rate_limit', 'server_error', 'reset']) {
    test(`is not acknowledged if Stripe fails: ${fault}`, async () => {
      const faults = `${apiWithManualEvents.sandboxUrl}/sandbox/faults`;
      const body = JSON.stringify({ name: fault, path: '/v1/payouts' });
      await fetch(faults, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const response = await deliver(payoutEvent(ACCOUNT.stripeAccount, fault));
      await fetch(faults, { method: 'DELETE' });
      assert.match(await readError(response), /^503 unavailable /);
    });
  }
});
