import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import {
  DONOR_CONTEXT_HEADER,
  serializeDonorContext,
  type PaymentIntent,
} from '@connect-embed/contract';
import { recordStatements, type Statement } from '../../test-support/app/record-statements.ts';
import { ACCOUNT, startManualEventsSandbox } from '../../test-support/app/manual-events-sandbox.ts';
import { eventually } from '../../test-support/app/start-api.ts';
import { startReceiver } from '../../test-support/network/webhook-receiver.ts';
import { startDeliveryWorker } from '../webhooks/delivery-worker.ts';

const receiver = await startReceiver();
after(receiver.stop);
const sandboxApi = await startManualEventsSandbox({ WEBHOOK_ALLOW_HOSTS: receiver.host });
const { pool, db, webhooks, post, token, stripe, eventsOf, deliverEvent } = sandboxApi;

const hashOf = (text: string) => Buffer.from(text.padEnd(18, '.')).toString('base64url');
const DONATION = {
  ...{ amount_cents: 2000, fund_id: 'fund_kitchen' },
  ...{ donor_name: 'Ada Lindqvist', donor_email: 'ada@example.org' },
};
/** What each statement of a new donation does, by the beginning of its text or a part of it. */
const RECORDING = [
  "nextval('row_version_seq')",
  'update "card_reservation"',
  'to_jsonb(payment_intent)', // With organization, donation, registration and handled events.
  'begin',
  'insert into "processor_event"',
  'pg_advisory_xact_lock',
  'from "donation" where "processor_payment_intent_id"', // In case it was recorded in the meantime.
  'insert into "donation"', // With donor, payment intent and receipt.
  'insert into "webhook_delivery"', // With the webhook event.
  'commit',
];

const CLAIM = 'with waiting(endpoint_id, earliest)';
/** What each statement of a delivery does. */
const DELIVERY = [CLAIM, 'insert into webhook_attempt'];

function assertStatements(statements: readonly Statement[], expected: readonly string[]) {
  const texts = statements.map(({ text }) => text);
  assert.equal(texts.length, expected.length, texts.join('\n'));
  for (const [index, part] of expected.entries()) assert.ok(texts[index]!.includes(part), part);
}

/** Sends pending deliveries, and returns the statements without further claims, which find nothing. */
async function deliver(): Promise<Statement[]> {
  const [, statements] = await recordStatements(pool, async () => {
    const log = { info: () => {}, warn: () => {} };
    const worker = startDeliveryWorker({ db, webhooks, log, allowHosts: [] });
    await eventually(async () => {
      const pending = db
        .selectFrom('webhook_delivery')
        .select('id')
        .where('status', '=', 'pending');
      return (await pending.executeTakeFirst()) ? undefined : true;
    });
    await worker.stop();
  });
  const isClaim = ({ text }: Statement) => text.includes(CLAIM);
  const first = statements.findIndex(isClaim);
  return statements.filter(
    (statement, index) =>
      index === first || !(isClaim(statement) || statement.text.startsWith('select "id"')),
  );
}

test('a donation takes few SQL statements until its webhook event is delivered', async (t) => {
  const endpoint = { url: receiver.url, events: ['donation.created'] };
  assert.equal((await post('/webhooks', token, endpoint)).status, 201);
  /** Creates and pays a payment intent, as an integrator's server and a donor do. */
  const pay = async () => {
    const donor = { address: hashOf('one address'), form: hashOf('one form'), proof: 0 };
    const response = await post('/payment-intents', token, DONATION, {
      'idempotency-key': randomUUID(),
      [DONOR_CONTEXT_HEADER]: serializeDonorContext(donor),
    });
    const { payment_intent_id: id } = (await response.json()) as PaymentIntent;
    await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, ACCOUNT);
    return id;
  };
  /** Records the donation of a paid payment intent from Stripe's event. */
  const record = async (intent: string) => {
    const paid = (await eventsOf(intent)).find(({ type }) => type === 'payment_intent.succeeded')!;
    return await recordStatements(pool, () => deliverEvent(paid));
  };
  await record(await pay()); // New connections run statements of their own.
  await deliver();

  const [intent, creating] = await recordStatements(pool, pay);
  // `payment-intent-statements.test.ts` names them.
  assert.equal(creating.length, 8, creating.map(({ text }) => text).join('\n'));
  const [outcome, recording] = await record(intent);
  assert.equal(outcome, 'recorded');
  assertStatements(recording, RECORDING);
  const delivering = await deliver();
  assertStatements(delivering, DELIVERY);
  assert.equal(receiver.received.length, 2);
  const counts = [creating, recording, delivering].map(({ length }) => length);
  const total = counts.reduce((sum, count) => sum + count);
  t.diagnostic(`create, record, deliver: ${counts.join(' + ')} = ${total} statements`);
});
