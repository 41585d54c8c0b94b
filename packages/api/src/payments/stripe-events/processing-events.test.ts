import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, mock, test } from 'node:test';
import type { PaymentIntent, PaymentIntentStatus } from '@connect-embed/contract';
import { startManualEventsSandbox } from '../../../test-support/app/manual-events-sandbox.ts';
import { cardPayment } from '../../../test-support/donations/payment-snapshot.ts';
import { permutations } from '../../../test-support/inputs/permutations.ts';
import { removeExpired } from '../../process/remove-expired.ts';
import { attackUntil } from '../fraud/attack-mode.ts';
import {
  cancelAfterDeclines,
  cancelDeclinedIntents,
  cancelIdleIntents,
} from '../fraud/cancel-after-declines.ts';
import { cancelOpenPayments } from '../own-keys/cancel-open-payments.ts';
import type { PaymentState } from '../stripe/payment-state.ts';

const { db, deps, get, post, token, deliverEvent } = await startManualEventsSandbox();

/** What Stripe reports when a payment is fetched, by payment intent. */
const states = new Map<string, PaymentState>();
mock.method(deps.processor, 'retrievePaymentState', async (id: string) => states.get(id)!);
mock.method(deps.processor, 'retrieveSucceededPayment', async (id: string) => {
  const { amountCents, metadata, paymentMethod } = states.get(id)!;
  const paid = { paymentIntentId: id, amountCents, metadata, paymentMethod };
  return cardPayment({ ...paid, cardBrand: null });
});

beforeEach(async () => {
  for (const table of ['mail', 'processor_event', 'attack_alarm'] as const)
    await db.deleteFrom(table).execute();
});

const MONDAY = Date.parse('2026-11-02T10:00:00Z') / 1000;
const DAY = 86_400;
const DONOR = { donor_name: 'Ana Ruiz', donor_email: 'ana@example.org' };

/** A step of a payment at Stripe: an event, and the state in which it leaves the payment. */
type Step = 'processing' | 'returned' | 'declined' | 'succeeded';

const TYPES = {
  processing: 'payment_intent.processing',
  returned: 'payment_intent.payment_failed',
  declined: 'payment_intent.payment_failed',
  succeeded: 'payment_intent.succeeded',
} as const;

const ERRORS = {
  returned: { code: 'payment_intent_payment_attempt_failed', message: 'insufficient_funds' },
  declined: { code: 'card_declined', message: 'Your card was declined.' },
};

async function openIntent(donation: object = {}) {
  const body = { amount_cents: 2000, fund_id: 'fund_meals', ...DONOR, ...donation };
  const response = await post('/payment-intents', token, body);
  assert.equal(response.status, 201);
  return (await response.json()) as PaymentIntent;
}

/** Simulates the steps of a payment at Stripe, which is then in the last state, and returns their events. */
function paymentEvents(
  { payment_intent_id: id, reference }: PaymentIntent,
  steps: readonly Step[],
  { method = 'sepa_debit', secondsBetween = 3 * DAY } = {},
) {
  const metadata = {
    ...{ organization_id: 'org_harbor', fund_id: 'fund_meals', source: 'api' },
    ...{ source_id: 'key', reference, ...DONOR },
  };
  let attempt = 0;
  return steps.map((step, index) => {
    // A failed attempt has the charge of its confirmation.
    if (step === 'processing' || step === 'declined') attempt += 1;
    const charge = `py_${id}_${attempt}`;
    const created = MONDAY + index * secondsBetween;
    const type = step === 'declined' ? 'card' : method;
    const error =
      step === 'returned' || step === 'declined'
        ? { ...ERRORS[step], charge, payment_method: { type } }
        : null;
    states.set(id, {
      paymentIntentId: id,
      livemode: false,
      status: step === 'returned' || step === 'declined' ? 'failed' : step,
      amountCents: 2000,
      currency: 'usd',
      paymentMethod: type,
      chargeId: charge,
      confirmedAt: new Date(created * 1000),
      failure: { code: error?.code ?? null, message: error?.message ?? null },
      metadata,
    });
    const object = { id, object: 'payment_intent', amount: 2000, currency: 'usd', metadata };
    return {
      id: `evt_${randomUUID()}`,
      object: 'event',
      type: TYPES[step],
      created,
      data: { object: { ...object, last_payment_error: error } },
    };
  });
}

const rowOf = (id: string) =>
  db.selectFrom('payment_intent').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const mailKinds = async () =>
  (await db.selectFrom('mail').select('kind').orderBy('kind').execute()).map(({ kind }) => kind);
const donationsOf = (id: string) =>
  db.selectFrom('donation').selectAll().where('processor_payment_intent_id', '=', id).execute();
/** The number of events that the detection of card testing counts. */
const triedCards = async () =>
  (await db.selectFrom('processor_event').select(['type', 'is_card']).execute()).filter(
    ({ type, is_card }) => is_card && type !== 'payment_intent.processing',
  ).length;

describe('a bank debit', () => {
  test('is on its way until its money is expected, and ends the reservation of cards', async () => {
    const intent = await openIntent();
    const { payment_intent_id: id } = intent;
    await db
      .insertInto('card_reservation')
      .values({
        id,
        organization_id: 'org_harbor',
        form_key: 'form',
        has_proof_of_work: false,
        card_count: 13,
        max_declines: 2,
        payment_intent_id: id,
      })
      .execute();
    const [event] = paymentEvents(intent, ['processing']);
    assert.equal(await deliverEvent(event!), 'recorded');
    assert.partialDeepStrictEqual(await rowOf(id), {
      ...{ status: 'processing', payment_method: 'sepa_debit', failed_attempts: 0, ...DONOR },
      expected_at: new Date((MONDAY + 7 * DAY) * 1000),
    });
    assert.equal((await donationsOf(id)).length, 0);
    const status = (await (
      await get(`/payment-intents/${id}`, token)
    ).json()) as PaymentIntentStatus;
    assert.partialDeepStrictEqual(status, {
      ...{ status: 'processing', expected_at: '2026-11-09T10:00:00.000Z', donation_id: null },
      reference: intent.reference,
    });
    const reservation = await db
      .selectFrom('card_reservation')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.ok(reservation.ended_at);
    assert.deepEqual(await mailKinds(), ['donation_processing']);
  });

  test('is recorded if a crash lost its payment intent', async () => {
    const intent = await openIntent();
    const { payment_intent_id: id } = intent;
    await db.deleteFrom('payment_intent').where('id', '=', id).execute();
    const [event] = paymentEvents(intent, ['processing']);
    assert.equal(await deliverEvent(event!), 'recorded');
    assert.partialDeepStrictEqual(await rowOf(id), {
      ...{ status: 'processing', amount_cents: 2000, fund_id: 'fund_meals', ...DONOR },
      ...{ organization_id: 'org_harbor', reference: intent.reference },
    });
  });

  test('of another system on the account is ignored', async () => {
    const id = `pi_${randomUUID()}`;
    const intent = { ...(await openIntent()), payment_intent_id: id };
    const [event] = paymentEvents(intent, ['processing']);
    states.set(id, { ...states.get(id)!, metadata: {} });
    const object = { ...event!.data.object, metadata: {} };
    assert.equal(await deliverEvent({ ...event, data: { object } }), 'ignored');
    assert.deepEqual(await mailKinds(), []);
  });

  for (const secondsBetween of [0, 3 * DAY]) {
    const spacing = secondsBetween ? 'days apart' : 'in one second';
    for (const { steps, status, mails } of [
      { steps: ['processing'], status: 'processing', mails: ['donation_processing'] },
      { steps: ['processing', 'succeeded'], status: 'succeeded', mails: ['receipt'] },
      { steps: ['processing', 'returned'], status: 'failed', mails: ['donation_returned'] },
      // The donor tries again with the same form.
      {
        steps: ['processing', 'returned', 'processing', 'succeeded'],
        status: 'succeeded',
        mails: ['receipt'],
      },
      {
        steps: ['declined', 'processing'],
        status: 'processing',
        mails: ['donation_processing'],
      },
    ] as const) {
      test(`ends in the same state in every order of ${steps.join(', ')}, ${spacing}`, async () => {
        const order = steps.map((_, index) => index);
        for (const indexes of permutations(order)) {
          await db.deleteFrom('mail').execute();
          await db.deleteFrom('processor_event').execute();
          const intent = await openIntent();
          const { payment_intent_id: id } = intent;
          const events = paymentEvents(intent, steps, { secondsBetween });
          for (const index of indexes) {
            await deliverEvent(events[index]!);
            await deliverEvent(events[index]!);
          }
          const isPaid = status === 'succeeded';
          const row = await rowOf(id);
          const isDeclined = (steps as readonly Step[]).includes('declined');
          assert.partialDeepStrictEqual(
            row,
            { status, failed_attempts: isDeclined ? 1 : 0 },
            `${indexes}`,
          );
          assert.deepEqual([row.donor_email], [isPaid ? null : DONOR.donor_email]);
          assert.equal(row.expected_at !== null, status === 'processing');
          assert.equal(row.failure_code !== null, status === 'failed');
          const donations = await donationsOf(id);
          assert.equal(donations.length, isPaid ? 1 : 0);
          if (isPaid) assert.partialDeepStrictEqual(donations[0], DONOR);
          const kinds = await mailKinds();
          // All events are fetched after the last step, so emails about earlier ones are not sent.
          assert.deepEqual(kinds, mails, `${indexes}`);
          assert.equal(await triedCards(), isDeclined ? 1 : 0);
        }
      });
    }
  }

  test('causes one email of each kind if its events arrive as they happen', async () => {
    const intent = await openIntent();
    const steps: Step[] = [];
    for (const step of ['processing', 'returned', 'processing', 'succeeded'] as const) {
      steps.push(step);
      const event = paymentEvents(intent, steps).at(-1)!;
      const outcomes = await Promise.all([event, event, event].map(deliverEvent));
      assert.deepEqual(outcomes.sort(), ['duplicate', 'duplicate', 'recorded']);
    }
    assert.deepEqual(await mailKinds(), [
      ...['donation_processing', 'donation_processing', 'donation_returned', 'receipt'],
    ]);
    assert.equal((await donationsOf(intent.payment_intent_id)).length, 1);
  });

  test('that is returned is no declined card: a batch of returns starts no alarm', async () => {
    for (let nth = 0; nth < 25; nth += 1) {
      const intent = await openIntent();
      for (const event of paymentEvents(intent, ['processing', 'returned']))
        await deliverEvent(event);
    }
    assert.equal(await attackUntil(db, 'org_harbor'), undefined);
    assert.equal(await triedCards(), 0);
  });

  test('becomes a donation of the donor as corrected since', async () => {
    const intent = await openIntent();
    const [processing, succeeded] = paymentEvents(intent, ['processing', 'succeeded']);
    const { status } = states.get(intent.payment_intent_id)!;
    states.get(intent.payment_intent_id)!.status = 'processing';
    await deliverEvent(processing!);
    await db
      .updateTable('payment_intent')
      .set({ donor_name: 'Ana Ruiz Prado', donor_email: 'prado@example.org' })
      .where('id', '=', intent.payment_intent_id)
      .execute();
    states.get(intent.payment_intent_id)!.status = status;
    await deliverEvent(succeeded!);
    assert.partialDeepStrictEqual(await donationsOf(intent.payment_intent_id), [
      { donor_name: 'Ana Ruiz Prado', donor_email: 'prado@example.org' },
    ]);
  });

  test('is not canceled, however many cards were declined before it', async (t) => {
    const cancel = t.mock.method(deps.processor, 'cancelPaymentIntent');
    const intent = await openIntent();
    const { payment_intent_id: id } = intent;
    const [processing] = paymentEvents(intent, ['processing']);
    await deliverEvent(processing!);
    await db
      .updateTable('payment_intent')
      .set({ failed_attempts: 8 })
      .where('id', '=', id)
      .execute();
    const account = 'acct_harbor_street';
    assert.equal(await cancelAfterDeclines(deps, { intentId: id, account }), false);
    await cancelDeclinedIntents(deps, { organizationId: 'org_harbor', account });
    await cancelOpenPayments(deps, 'org_harbor', account);
    await cancelIdleIntents(deps);
    assert.ok(cancel.mock.calls.every(({ arguments: [canceled] }) => canceled !== id));
  });

  test('that was returned is forgotten after 30 days, and one on its way is not', async () => {
    const [returned, waiting] = [await openIntent(), await openIntent()];
    for (const event of paymentEvents(returned, ['processing', 'returned']))
      await deliverEvent(event);
    const [processing] = paymentEvents(waiting, ['processing']);
    await deliverEvent(processing!);
    const ids = [returned.payment_intent_id, waiting.payment_intent_id];
    const longAgo = new Date(Date.now() - 31 * DAY * 1000);
    for (const status_at of [new Date(), longAgo]) {
      await db.updateTable('payment_intent').set({ status_at }).where('id', 'in', ids).execute();
      await removeExpired(db);
      const { donor_email, donor_name } = await rowOf(returned.payment_intent_id);
      const isKept = status_at !== longAgo;
      assert.deepEqual([donor_email !== null, donor_name !== null], [isKept, isKept]);
      assert.equal((await rowOf(waiting.payment_intent_id)).donor_email, DONOR.donor_email);
    }
  });

  test('keeps its status when a card of the same second was declined before it', async () => {
    const intent = await openIntent();
    const [declined, processing] = paymentEvents(intent, ['declined', 'processing'], {
      secondsBetween: 0,
    });
    await deliverEvent(processing!);
    await deliverEvent(declined!);
    assert.equal((await rowOf(intent.payment_intent_id)).status, 'processing');
  });

  test('is fetched again if it fails while it is saved', async (t) => {
    const intent = await openIntent();
    const { payment_intent_id: id } = intent;
    const [processing, returned] = paymentEvents(intent, ['processing', 'returned'], {
      secondsBetween: 0,
    });
    let fetches = 0;
    t.mock.method(deps.processor, 'retrievePaymentState', async () => {
      fetches += 1;
      const state = states.get(id)!;
      if (fetches > 1) return state;
      await deliverEvent(returned!);
      return { ...state, status: 'processing' };
    });
    await deliverEvent(processing!);
    assert.equal((await rowOf(id)).status, 'failed');
    assert.deepEqual(await mailKinds(), ['donation_returned']);
  });
});

describe('a payment by PayPal', () => {
  test('that failed is no declined card, and causes no email', async () => {
    const intent = await openIntent();
    const [event] = paymentEvents(intent, ['returned'], { method: 'paypal' });
    await deliverEvent(event!);
    assert.partialDeepStrictEqual(await rowOf(intent.payment_intent_id), {
      ...{ status: 'failed', failed_attempts: 0 },
    });
    assert.deepEqual([await triedCards(), await mailKinds()], [0, []]);
  });
});
