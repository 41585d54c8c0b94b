import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startEvents } from '@connect-embed/api/test-support/app/start-events';
import { ADMIN } from '@connect-embed/api/test-support/app/start-oauth';
import { eventually, stripeAt } from '@connect-embed/api/test-support/app/start-api';
import { textOf } from '@connect-embed/api/test-support/browser/read-document';

const { api, visitor, owner, newEvent, newRegistration, registrations, webhookEventsOf } =
  await startEvents({ sandbox: true });
const stripe = stripeAt(api.sandboxUrl);
const ACCOUNT = { stripeAccount: 'acct_harbor_street' };

/**
 * Creates a registration with a captured Stripe payment, as an import or a checkout would create
 * it.
 */
async function newPaid({ amount = 4000, capture = true } = {}) {
  const event = await newEvent({ pricing_mode: 'fixed', price: '40' });
  const registration = await newRegistration(event, { amount_paid: '40' });
  const intent = await stripe.paymentIntents.create({ amount, currency: 'usd' }, ACCOUNT);
  if (capture) {
    await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }, ACCOUNT);
  }
  await api.db
    .updateTable('registration')
    .set({ processor_payment_intent_id: intent.id })
    .where('id', '=', registration.id)
    .execute();
  const refunds = async () =>
    (await stripe.refunds.list({ payment_intent: intent.id }, ACCOUNT)).data;
  const row = async () => (await registrations(event.id))[0]!;
  return { ...registration, event, intent, refunds, row };
}

describe('a registration that was paid by card', () => {
  test('is refunded once, however often the refund is requested at the same time', async () => {
    const paid = await newPaid();
    assert.match(
      (await owner.open(`${paid.path}/refund`)).text,
      /\$40\.00 will be refunded to the card/,
    );
    await Promise.all([1, 2, 3, 4].map(() => owner.post(`${paid.path}/refund`, {})));
    await owner.post(`${paid.path}/refund`, {});
    const refunds = await paid.refunds();
    assert.deepEqual(
      refunds.map(({ amount, status }) => [amount, status]),
      [[4000, 'succeeded']],
    );
    const { wish: requestKey, ...names } = refunds[0]!.metadata!;
    assert.deepEqual(names, { organization_id: 'org_harbor', registration_id: paid.id });
    // A retry finds the refund by the key of the refund request: payments/stripe/refunds.ts.
    assert.match(requestKey!, /^[0-9a-f]{64}$/);
    assert.partialDeepStrictEqual(await paid.row(), { status: 'refunded', refunded_cents: 4000 });
    assert.equal((await webhookEventsOf('registration.refunded', paid.event.id)).length, 1);
  });

  test('stays unchanged when Stripe rejects the refund', async () => {
    const paid = await newPaid({ capture: false });
    const refused = await owner.post(`${paid.path}/refund`, {});
    assert.ok(refused.document.querySelector('[role="alert"]'));
    assert.partialDeepStrictEqual(await paid.row(), { status: 'confirmed', refunded_cents: 0 });
    assert.deepEqual(await webhookEventsOf('registration.refunded', paid.event.id), []);
    // The refund succeeds as soon as the reason for the rejection is gone.
    await stripe.paymentIntents.confirm(
      paid.intent.id,
      { payment_method: 'pm_card_visa' },
      ACCOUNT,
    );
    await owner.post(`${paid.path}/refund`, {});
    assert.partialDeepStrictEqual(await paid.row(), { status: 'refunded', refunded_cents: 4000 });
    assert.equal((await paid.refunds()).length, 1);
  });

  test('is marked refunded when the refund is made at Stripe', async () => {
    const paid = await newPaid();
    const rowWhen = (cents: number) =>
      eventually(async () => {
        const row = await paid.row();
        return row.refunded_cents === cents ? row : undefined;
      });
    await stripe.refunds.create({ payment_intent: paid.intent.id, amount: 1500 }, ACCOUNT);
    assert.equal((await rowWhen(1500)).status, 'confirmed');
    assert.deepEqual(await webhookEventsOf('registration.refunded', paid.event.id), []);
    await stripe.refunds.create({ payment_intent: paid.intent.id }, ACCOUNT);
    assert.equal((await rowWhen(4000)).status, 'refunded');
    const done = await owner.post(`${paid.path}/refund`, {});
    assert.ok(done.document.querySelector('[role="status"]'));
    assert.equal((await paid.refunds()).length, 2);
    assert.equal((await webhookEventsOf('registration.refunded', paid.event.id)).length, 1);
    const donations = await api.db
      .selectFrom('donation')
      .select('id')
      .where('processor_payment_intent_id', '=', paid.intent.id)
      .execute();
    assert.deepEqual(donations, []);
  });

  test('is not refunded twice when the Stripe event has not arrived', async () => {
    const paid = await newPaid();
    await api.db
      .updateTable('registration')
      .set({ processor_payment_intent_id: null })
      .where('id', '=', paid.id)
      .execute();
    await stripe.refunds.create({ payment_intent: paid.intent.id }, ACCOUNT);
    // The Stripe events arrive, and cannot be matched to the registration yet.
    await eventually(async () => {
      const { data } = await stripe.events.list({ limit: 10 }, ACCOUNT);
      return data.every(({ pending_webhooks }) => pending_webhooks === 0) || undefined;
    });
    await api.db
      .updateTable('registration')
      .set({ processor_payment_intent_id: paid.intent.id })
      .where('id', '=', paid.id)
      .execute();
    await owner.post(`${paid.path}/refund`, {});
    assert.equal((await paid.refunds()).length, 1);
    assert.equal((await paid.row()).status, 'refunded');
  });

  test('does not expose Stripe ids', async () => {
    const paid = await newPaid();
    await owner.post(`${paid.path}/refund`, {});
    const { token } = await api.createKey();
    const response = await api.get(`/events/${paid.event.id}/registrations`, token);
    assert.ok(!(await response.text()).includes(paid.intent.id));
    assert.ok(!(await owner.open(paid.path)).text.includes(paid.intent.id));
  });

  test('cannot be refunded by an admin without payments:write', async () => {
    const paid = await newPaid();
    const admin = visitor();
    await admin.openAs(ADMIN, paid.path);
    const refused = await admin.post(`${paid.path}/refund`, {});
    assert.match(textOf(refused.document, '[role="alert"]')!, /you need the permission/);
    assert.deepEqual(await paid.refunds(), []);
  });
});
