import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PaymentIntent } from '@connect-embed/contract';
import {
  createOwnKeysOrganization,
  enterKeys,
  ownStripe,
} from '../../../test-support/donations/own-keys.ts';
import { OWNER } from '../../../test-support/app/start-oauth.ts';
import { eventually, startApi } from '../../../test-support/app/start-api.ts';
import { forOrganization } from '../../db/organization-scope.ts';

const api = await startApi({ sandbox: true });
const { db, createKey, post, sandboxUrl } = api;
const ACCOUNT = 'acct_own_orchard';
/** Stripe charges the invoice of a renewal about an hour after it was created. */
const INVOICE_DRAFT_SECONDS = 2 * 60 * 60;
const { id, path } = await createOwnKeysOrganization(api, 'orchard');
await enterKeys(api, path, 'sk_test_own_orchard');
const { client, options } = ownStripe(api, 'sk_test_own_orchard');
const { token } = await createKey(['payments:write'], id);
const rows = forOrganization(db, id);

/** Pays a donation in the own account, and returns it once it is recorded. */
async function donate(donation: object) {
  const response = await post('/payment-intents', token, donation);
  assert.equal(response.status, 201);
  const { payment_intent_id } = (await response.json()) as PaymentIntent;
  const card = { payment_method: 'pm_card_visa' };
  await client.paymentIntents.confirm(payment_intent_id, card, options);
  return await eventually(() =>
    rows
      .selectFrom('donation')
      .selectAll()
      .where('processor_payment_intent_id', '=', payment_intent_id)
      .executeTakeFirst(),
  );
}

/** Calls the sandbox's own API, which Stripe does not have. */
async function sandbox(action: string, body: object) {
  const response = await fetch(`${sandboxUrl}/sandbox${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, action);
}

describe('the own endpoint of an account reports', () => {
  test('a monthly donation and its renewal', async () => {
    const { plan_id } = await donate({
      amount_cents: 2500,
      frequency: 'monthly',
      donor_email: 'ana@example.org',
      donor_name: 'Ana Ruiz',
    });
    await sandbox('/clock', { advance: 'month' });
    await sandbox('/clock', { seconds: INVOICE_DRAFT_SECONDS });
    const donations = await eventually(async () => {
      const found = await rows
        .selectFrom('donation')
        .select(['amount_cents', 'processor_payment_intent_id as intent'])
        .where('plan_id', '=', plan_id)
        .execute();
      return found.length === 2 ? found : undefined;
    });
    for (const { amount_cents, intent } of donations) {
      assert.equal(amount_cents, 2500);
      const { status } = await client.paymentIntents.retrieve(intent!, {}, options);
      assert.equal(status, 'succeeded');
    }
    const plan = await rows
      .selectFrom('recurring_plan')
      .select(['status', 'processor_subscription_id as subscription'])
      .where('id', '=', plan_id!)
      .executeTakeFirstOrThrow();
    assert.equal(plan.status, 'active');
    assert.equal(
      (await client.subscriptions.retrieve(plan.subscription, {}, options)).status,
      'active',
    );
  });

  test('a refund that an owner makes in the dashboard', async () => {
    const donation = await donate({ amount_cents: 3000 });
    const owner = api.visitor();
    const donationPath = `/dashboard/${id}/donations/${donation.id}`;
    await owner.openAs(OWNER, donationPath);
    const fields = { returned_before: '0', reason: 'duplicate', amount: '7.50' };
    await owner.post(`${donationPath}/refund`, fields);
    const refund = await eventually(() =>
      rows
        .selectFrom('refund')
        .select(['amount_cents', 'processor_refund_id'])
        .where('donation_id', '=', donation.id)
        .where('status', '=', 'succeeded')
        .executeTakeFirst(),
    );
    const { amount } = await client.refunds.retrieve(refund.processor_refund_id!, {}, options);
    assert.deepEqual([refund.amount_cents, amount], [750, 750]);
  });

  test('a dispute', async () => {
    const donation = await donate({ amount_cents: 4000 });
    const { latest_charge: charge } = await client.paymentIntents.retrieve(
      donation.processor_payment_intent_id!,
      {},
      options,
    );
    await sandbox('/disputes', { account: ACCOUNT, charge });
    const dispute = await eventually(() =>
      rows
        .selectFrom('donation_dispute')
        .select(['amount_cents', 'status'])
        .where('donation_id', '=', donation.id)
        .executeTakeFirst(),
    );
    assert.deepEqual(dispute, { amount_cents: 4000, status: 'open' });
  });

  test('a payout with its donations', async () => {
    const donation = await donate({ amount_cents: 5000 });
    for (let week = 0; week < 2; week += 1) await sandbox('/clock', { advance: 'week' });
    const payout = await eventually(() =>
      rows
        .selectFrom('balance_transaction')
        .innerJoin('payout', 'payout.id', 'balance_transaction.payout_id')
        .select(['payout.status', 'payout.processor_payout_id as id'])
        .where('processor_payment_intent_id', '=', donation.processor_payment_intent_id)
        .where('payout.status', '=', 'paid')
        .executeTakeFirst(),
    );
    assert.equal((await client.payouts.retrieve(payout.id!, {}, options)).status, 'paid');
  });

  test('nothing to the endpoint of the platform', async () => {
    const events = await db
      .selectFrom('processor_event')
      .select(['type', 'organization_id'])
      .execute();
    const types = new Set(events.map(({ type }) => type));
    for (const type of ['invoice.paid', 'charge.refunded', 'charge.dispute.created', 'payout.paid'])
      assert.ok(types.has(type), type);
    assert.deepEqual(new Set(events.map((event) => event.organization_id)), new Set([id]));
  });
});
