import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import {
  createClient,
  callSandboxAdmin,
  startTestSandbox,
  waitFor,
} from '../../test-support/start-sandbox.ts';

const { url } = await startTestSandbox();
const DAY_SECONDS = 24 * 60 * 60;
const donation = { amount: 5000, currency: 'usd', confirm: true };

/** Creates an account for one test, so that its payouts contain no other payments. */
let count = 0;
function createOrganization() {
  const account = `acct_payout_${(count += 1)}`;
  const stripe = createClient(url, account);
  const pay = (payment_method = 'pm_card_visa') =>
    stripe.paymentIntents.create({ ...donation, payment_method });
  return { account, stripe, pay };
}

const advanceDays = (days: number) =>
  callSandboxAdmin(url, '/clock', { seconds: days * DAY_SECONDS });
const statuses = (payouts: Stripe.ApiList<Stripe.Payout>) =>
  payouts.data.map((each) => each.status);

describe('a payout', () => {
  test('consists of the funds that became available, and lists its balance transactions', async () => {
    const { stripe, pay } = createOrganization();
    await pay();
    const { latest_charge } = await pay();
    await stripe.refunds.create({ charge: String(latest_charge), amount: 1000 });
    assert.deepEqual((await stripe.payouts.list()).data, []);
    // The refund is available before the payments: a negative balance is not paid out.
    const before = await stripe.balance.retrieve();
    assert.deepEqual([before.pending[0]?.amount, before.available[0]?.amount], [9650, -1000]);
    await advanceDays(1);
    assert.equal((await stripe.balance.retrieve()).pending[0]?.amount, 9650);
    await advanceDays(2);
    const [payout] = (await stripe.payouts.list({ expand: ['data.balance_transaction'] })).data;
    assert.ok(payout);
    assert.equal(payout.amount, 2 * 4825 - 1000);
    assert.equal((payout.balance_transaction as Stripe.BalanceTransaction).amount, -payout.amount);
    const lines = await stripe.balanceTransactions.list({ payout: payout.id });
    assert.deepEqual(lines.data.map(({ type }) => type).sort(), [
      'charge',
      'charge',
      'payout',
      'refund',
    ]);
    assert.equal(
      lines.data.reduce((sum, { net }) => sum + net, 0),
      0,
    );
    await advanceDays(3);
    const arrived = await stripe.payouts.retrieve(payout.id);
    assert.deepEqual([arrived.status, arrived.reconciliation_status], ['paid', 'completed']);
    const { data } = await stripe.events.list({ limit: 100 });
    assert.deepEqual(
      data.map(({ type }) => type).filter((type) => type.startsWith('payout')),
      ['payout.reconciliation_completed', 'payout.paid', 'payout.updated', 'payout.created'],
    );
  });

  test('contains fees and reserves, which belong to no payment', async () => {
    const { account, stripe, pay } = createOrganization();
    await pay();
    await callSandboxAdmin(url, '/fees', { account, amount: 1000, currency: 'usd' });
    await callSandboxAdmin(url, '/reserves', { account, amount: 500, currency: 'usd' });
    await advanceDays(4);
    const [payout] = (await stripe.payouts.list()).data;
    assert.equal(payout?.amount, 4825 - 1000 - 500);
    const { data } = await stripe.balanceTransactions.list({ payout: payout.id });
    assert.deepEqual(
      data.map(({ reporting_category, net, source }) => [reporting_category, net, source === null]),
      [
        ['payout', -3325, false],
        ['risk_reserved_funds', -500, true],
        ['fee', -1000, true],
        ['charge', 4825, false],
      ],
    );
  });

  test('can fail; its amount is in the next payout', async () => {
    const { account, stripe, pay } = createOrganization();
    await pay();
    await callSandboxAdmin(url, '/payouts/fail-next', { account });
    await advanceDays(6);
    const { data } = await stripe.payouts.list();
    const failed = data.find(({ status }) => status === 'failed');
    assert.equal(failed?.failure_code, 'account_closed');
    await advanceDays(4);
    const payouts = await stripe.payouts.list();
    assert.deepEqual(statuses(payouts), ['paid', 'failed']);
    const lines = await stripe.balanceTransactions.list({ payout: payouts.data[0]!.id });
    assert.deepEqual(
      lines.data.map(({ reporting_category, source }) => [reporting_category, source]),
      [
        ['payout', payouts.data[0]!.id],
        ['payout_reversal', payouts.data[1]!.id],
      ],
    );
  });

  test('created through the API needs an available balance', async () => {
    const { stripe, pay } = createOrganization();
    await pay();
    await assert.rejects(stripe.payouts.create({ amount: 100, currency: 'usd' }), {
      code: 'balance_insufficient',
    });
    await pay('pm_card_bypassPending');
    const { automatic } = await stripe.payouts.create({ amount: 100, currency: 'usd' });
    assert.equal(automatic, false);
    const { available } = await stripe.balance.retrieve();
    assert.equal(available[0]?.amount, 4725);
  });
});

describe('a dispute', () => {
  const opened = async (stripe: Stripe) =>
    waitFor(async () => (await stripe.disputes.list()).data[0]);
  const close = (account: string, { id: dispute }: Stripe.Dispute, outcome: 'won' | 'lost') =>
    callSandboxAdmin(url, '/disputes/close', { account, dispute, outcome });

  test('withdraws the amount and a fee, and reinstates the amount when it is won', async () => {
    const { account, stripe, pay } = createOrganization();
    const { latest_charge } = await pay('pm_card_createDispute');
    const dispute = await opened(stripe);
    assert.equal(dispute.status, 'needs_response');
    const [line] = dispute.balance_transactions;
    assert.deepEqual(
      [line?.amount, line?.fee, line?.net, line?.reporting_category],
      [-5000, 1500, -6500, 'dispute'],
    );
    const charge = await stripe.charges.retrieve(String(latest_charge));
    assert.equal(charge.disputed, true);
    await assert.rejects(stripe.refunds.create({ charge: charge.id }), {
      code: 'charge_disputed',
    });
    await close(account, dispute, 'won');
    assert.equal((await stripe.disputes.retrieve(dispute.id)).status, 'won');
    const { data } = await stripe.events.list({ limit: 100 });
    assert.deepEqual(
      data.map(({ type }) => type).filter((type) => type.startsWith('charge.dispute')),
      [
        'charge.dispute.closed',
        'charge.dispute.funds_reinstated',
        'charge.dispute.funds_withdrawn',
        'charge.dispute.created',
      ],
    );
  });

  test('is lost at its deadline, and is then closed', async () => {
    const { account, stripe, pay } = createOrganization();
    await pay('pm_card_createDispute');
    const { id } = await opened(stripe);
    await advanceDays(9);
    const overdue = await stripe.disputes.retrieve(id);
    assert.deepEqual([overdue.status, overdue.evidence_details.past_due], ['lost', true]);
    await assert.rejects(close(account, overdue, 'won'), /400/);
  });

  test('that is an inquiry withdraws no funds', async () => {
    const { account, stripe, pay } = createOrganization();
    await pay('pm_card_createDisputeInquiry');
    const inquiry = await opened(stripe);
    assert.deepEqual(
      [inquiry.status, inquiry.balance_transactions],
      ['warning_needs_response', []],
    );
    assert.equal((await close(account, inquiry, 'lost'))['status'], 'warning_closed');
  });

  test('can be opened for any payment', async () => {
    const { account, stripe, pay } = createOrganization();
    const { latest_charge } = await pay();
    await callSandboxAdmin(url, '/disputes', { account, charge: latest_charge });
    const dispute = await opened(stripe);
    assert.equal(dispute.charge, latest_charge);
  });
});
