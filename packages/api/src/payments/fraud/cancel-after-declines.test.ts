import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import type { PaymentIntent } from '@connect-embed/contract';
import type Stripe from 'stripe';
import {
  ACCOUNT,
  startManualEventsSandbox,
} from '../../../test-support/app/manual-events-sandbox.ts';

type StripeError = Stripe.errors.StripeError;

const { stripe, post, token, deliverEventsOf, eventsOf, deliverEvent, db, deps } =
  await startManualEventsSandbox();

// The declines of one test must not start an alarm in the next test.
beforeEach(async () => {
  await db.deleteFrom('attack_alarm').execute();
  await db.deleteFrom('processor_event').execute();
});

async function open(fields: object = {}): Promise<string> {
  const body = { amount_cents: 2000, donor_email: `${randomUUID()}@example.org`, ...fields };
  const response = await post('/payment-intents', token, body);
  assert.equal(response.status, 201);
  return ((await response.json()) as PaymentIntent).payment_intent_id;
}

const confirm = (id: string, payment_method: string) =>
  stripe.paymentIntents
    .confirm(id, { payment_method, return_url: 'https://page.example' }, ACCOUNT)
    .catch((error: StripeError) => error);

/** Tries declined cards on a payment intent and delivers the events of the declines. */
async function decline(id: string, cards: number): Promise<void> {
  for (let i = 0; i < cards; i++) await confirm(id, 'pm_card_visa_chargeDeclined');
  await deliverEventsOf(id);
}

const statusOf = async (id: string) =>
  (await stripe.paymentIntents.retrieve(id, {}, ACCOUNT)).status;
const rowOf = (id: string) =>
  db.selectFrom('payment_intent').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

for (const [description, fields] of [
  ['donation', {}],
  ['first payment of a subscription', { frequency: 'monthly' }],
] as const) {
  describe(`the payment intent of a ${description}`, () => {
    test('accepts an eighth card after seven declined ones', async () => {
      const id = await open(fields);
      await decline(id, 7);
      assert.equal((await rowOf(id)).failed_attempts, 7);
      await confirm(id, 'pm_card_visa');
      assert.equal(await statusOf(id), 'succeeded');
    });

    test('is canceled after eight declined cards, so that another card is rejected', async () => {
      const id = await open(fields);
      await decline(id, 8);
      assert.equal(await statusOf(id), 'canceled');
      assert.ok((await rowOf(id)).closed_at);
      const { code, payment_intent } = (await confirm(id, 'pm_card_visa')) as StripeError;
      assert.equal(code, 'payment_intent_unexpected_state');
      assert.equal(payment_intent?.status, 'canceled');
    });
  });
}

test('a decline whose event is delivered again, or late, is counted once', async () => {
  const id = await open();
  await decline(id, 7);
  await deliverEventsOf(id);
  for (const event of (await eventsOf(id)).reverse()) await deliverEvent(event);
  assert.equal((await rowOf(id)).failed_attempts, 7);
  assert.equal(await statusOf(id), 'requires_payment_method');
});

test('the cancellation of a payment intent is retried when the event is delivered again', async (t) => {
  const id = await open();
  for (let i = 0; i < 8; i++) await confirm(id, 'pm_card_visa_chargeDeclined');
  const failing = t.mock.method(deps.processor, 'cancelPaymentIntent', () =>
    Promise.reject(new Error('The processor is away.')),
  );
  await deliverEventsOf(id);
  assert.equal(await statusOf(id), 'requires_payment_method');
  failing.mock.restore();
  await deliverEventsOf(id);
  assert.equal(await statusOf(id), 'canceled');
  assert.equal((await rowOf(id)).failed_attempts, 8);
});

test('a payment intent whose last card succeeded in the meantime stays paid', async () => {
  const id = await open();
  for (let i = 0; i < 8; i++) await confirm(id, 'pm_card_visa_chargeDeclined');
  await confirm(id, 'pm_card_visa');
  await deliverEventsOf(id);
  assert.equal(await statusOf(id), 'succeeded');
  assert.equal((await rowOf(id)).status, 'succeeded');
});
