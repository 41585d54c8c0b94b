import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { randomUUID } from 'node:crypto';
import {
  normalizeReference,
  Reference,
  type Donation,
  type PaymentIntent,
} from '@connect-embed/contract';
import { sql } from 'kysely';
import { ACCOUNT, startManualEventsSandbox } from '../../test-support/app/manual-events-sandbox.ts';
import { removeExpired } from '../process/remove-expired.ts';
import { reserveReference } from './reference.ts';
import { seedReference } from '../lib/format-reference.ts';

const sandboxApi = await startManualEventsSandbox();
const { db, stripe, payDonation, deliverEventsOf, post, get, token, donationOf } = sandboxApi;
const ORGANIZATION = 'org_harbor';

async function createIntent(body: object = {}, key: string = randomUUID()): Promise<PaymentIntent> {
  const headers = { 'idempotency-key': key };
  const response = await post('/payment-intents', token, { amount_cents: 2500, ...body }, headers);
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as PaymentIntent;
}

const pay = (id: string) =>
  stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, ACCOUNT);

const statusOf = async (id: string) =>
  (await (await get(`/payment-intents/${id}`, token)).json()) as Record<string, unknown>;

describe('a donation reference', () => {
  test('is returned with the payment intent and does not change', async () => {
    const { payment_intent_id: id, reference } = await createIntent();
    assert.ok(Reference.safeParse(reference).success, reference);
    assert.equal((await statusOf(id))['reference'], reference);
    const { metadata, description } = await stripe.paymentIntents.retrieve(id, {}, ACCOUNT);
    assert.equal(metadata['reference'], reference);
    assert.equal(description, `Donation ${reference}`);
    await pay(id);
    await deliverEventsOf(id);
    const { id: donationId } = await donationOf(id);
    const donation = (await (await get(`/donations/${donationId}`, token)).json()) as Donation;
    assert.equal(donation.reference, reference);
    assert.equal((await statusOf(id))['reference'], reference);
  });

  test('is the same for a repeated request, also after a crash', async () => {
    const key = randomUUID();
    const intent = await createIntent({}, key);
    assert.deepEqual(await createIntent({}, key), intent);
    await db.deleteFrom('idempotency_key').execute();
    await db.deleteFrom('payment_intent').where('id', '=', intent.payment_intent_id).execute();
    assert.deepEqual(await createIntent({}, key), intent);
  });

  test('is the one that was returned first if the payment intent was lost in a crash', async () => {
    const { payment_intent_id: id, reference } = await createIntent();
    await db.deleteFrom('payment_intent').where('id', '=', id).execute();
    await pay(id);
    await deliverEventsOf(id);
    assert.equal((await donationOf(id)).reference, reference);
  });

  test('is not taken from metadata that names the reference of another donation', async () => {
    const first = await createIntent();
    await pay(first.payment_intent_id);
    await deliverEventsOf(first.payment_intent_id);
    const second = await createIntent();
    const { payment_intent_id: id } = second;
    await stripe.paymentIntents.update(id, { metadata: { reference: first.reference } }, ACCOUNT);
    await db.deleteFrom('payment_intent').where('id', '=', id).execute();
    await pay(id);
    await deliverEventsOf(id);
    const { reference } = await donationOf(id);
    assert.ok(Reference.safeParse(reference).success);
    assert.notEqual(reference, first.reference);
  });

  test('is assigned to a payment whose intent was not created here', async () => {
    const { id } = await stripe.paymentIntents.create(
      {
        amount: 1500,
        currency: 'usd',
        payment_method: 'pm_card_visa',
        confirm: true,
        metadata: { organization_id: ORGANIZATION },
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      },
      ACCOUNT,
    );
    await deliverEventsOf(id);
    assert.ok(Reference.safeParse((await donationOf(id)).reference).success);
  });

  test('is rejected as a metadata key of a request', async () => {
    const body = { amount_cents: 2500, metadata: { reference: 'mine' } };
    const response = await post('/payment-intents', token, body);
    assert.equal(response.status, 400);
  });

  test('is another one if the first candidate is in use', async () => {
    const key = randomUUID();
    const firstCandidate = await reserveReference(db, 'org_lantern', key);
    const id = await payDonation();
    await deliverEventsOf(id);
    // Gives a donation of org_harbor the first candidate of this key.
    await db
      .updateTable('donation')
      .set({ reference: firstCandidate })
      .where('id', '=', (await donationOf(id)).id)
      .execute();
    await db.deleteFrom('reserved_reference').where('reserved_for', '=', key).execute();
    const reservedReference = await reserveReference(db, ORGANIZATION, key);
    assert.notEqual(reservedReference, firstCandidate);
    assert.equal(await reserveReference(db, ORGANIZATION, key), reservedReference);
  });

  test('is another one for a key that is reused after its donation was recorded', async () => {
    const key = randomUUID();
    const first = await createIntent({}, key);
    await pay(first.payment_intent_id);
    await deliverEventsOf(first.payment_intent_id);
    const { reserved_for: requestKey } = await db
      .selectFrom('reserved_reference')
      .select('reserved_for')
      .where('reference', '=', first.reference!)
      .executeTakeFirstOrThrow();
    const reserved = await reserveReference(db, ORGANIZATION, requestKey);
    assert.notEqual(reserved, first.reference);
    assert.equal(await reserveReference(db, ORGANIZATION, requestKey), reserved);
  });

  test('is another one for a paid intent if another donation has its reference', async () => {
    const [first, second] = [await createIntent(), await createIntent()];
    // Simulates two payment intents that were created with one key before the first was paid.
    await db
      .updateTable('payment_intent')
      .set({ reference: first.reference })
      .where('id', '=', second.payment_intent_id)
      .execute();
    for (const { payment_intent_id: id } of [first, second]) {
      await pay(id);
      await deliverEventsOf(id);
    }
    const { payment_intent_id: id } = second;
    assert.equal((await donationOf(first.payment_intent_id)).reference, first.reference);
    const { reference } = await donationOf(id);
    assert.notEqual(reference, first.reference);
    assert.equal((await statusOf(id))['reference'], reference);
    const { metadata } = await stripe.paymentIntents.retrieve(id, {}, ACCOUNT);
    assert.equal(metadata['reference'], reference);
  });

  test('is released after 30 days if no intent was created or its donation has it', async () => {
    const [paid, open] = [await createIntent(), await createIntent()];
    await pay(paid.payment_intent_id);
    await deliverEventsOf(paid.payment_intent_id);
    const reserved = await reserveReference(db, ORGANIZATION, randomUUID());
    const isReserved = async () =>
      (await db.selectFrom('reserved_reference').select('reference').execute())
        .map(({ reference }) => reference)
        .filter((each) => [paid.reference, open.reference, reserved].includes(each));
    await removeExpired(db);
    assert.equal((await isReserved()).length, 3);
    await sql`update reserved_reference set created_at = now() - interval '31 days'`.execute(db);
    await removeExpired(db);
    assert.deepEqual(await isReserved(), [open.reference]);
    assert.equal((await donationOf(paid.payment_intent_id)).reference, paid.reference);
  });

  test('is the same for concurrent requests with one key, and different for different keys', async () => {
    const key = randomUUID();
    const repeated = await Promise.all(
      Array.from({ length: 10 }, () => reserveReference(db, ORGANIZATION, key)),
    );
    assert.equal(new Set(repeated).size, 1);
    const differentKeys = await Promise.all(
      Array.from({ length: 50 }, () => reserveReference(db, ORGANIZATION, randomUUID())),
    );
    assert.equal(new Set(differentKeys).size, 50);
  });

  test('is unique in an organization, enforced by the database', async () => {
    const source = 'api' as const;
    const row = { organization_id: ORGANIZATION, amount_cents: 1, currency: 'usd', source };
    const insert = (id: string) =>
      db
        .insertInto('donation')
        .values({ ...row, id, reference: 'K7QM-4XTZ' })
        .execute();
    await insert('don_reference_1');
    await assert.rejects(insert('don_reference_2'), /donation_reference/);
  });

  test('of a number is the same in the database and in TypeScript', async () => {
    for (const number of [0, 1, 2, 1_000_000]) {
      const { rows } = await sql<{ reference: string }>`
        select reference_of(${number}::bigint * 94305310271 % 152587890625) as reference`.execute(
        db,
      );
      assert.equal(rows[0]!.reference, seedReference(number));
    }
    const references = Array.from({ length: 50_000 }, (_, number) => seedReference(number));
    assert.equal(new Set(references).size, references.length);
  });
});

describe('normalizeReference', () => {
  for (const [typed, read] of [
    ['K7QM-4XTZ', 'K7QM4XTZ'],
    [' k7qm 4xtz ', 'K7QM4XTZ'],
    ['k7qm–4xt2', 'K7QM4XTZ'],
    ['KSBO', 'K58Q'],
    ['\u200bＫ７ＱＭ－４ＸＴＺ', 'K7QM4XTZ'],
    ['Ada', undefined],
    ['K7QM-4XTZ-9', undefined],
    ['', undefined],
  ] as const) {
    test(`reads ${JSON.stringify(typed)} as ${read}`, () => {
      assert.equal(normalizeReference(typed), read);
    });
  }
});
