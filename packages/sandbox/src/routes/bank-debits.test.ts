import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import { ACH, IBAN, bankDebitsAt, sepa } from '../../test-support/bank-debits.ts';
import {
  callSandboxAdmin,
  startTestSandbox,
  temporaryFolder,
  waitFor,
} from '../../test-support/start-sandbox.ts';
import { TEST_DEBITS } from '../test-debits.ts';

const { url } = await startTestSandbox();
const { stripe, createIntent, confirmDebit, settled, eventsOf } = bankDebitsAt(url);

describe('a bank debit', () => {
  for (const { account, token, description, outcome } of TEST_DEBITS) {
    test(`of ${token} is processing; then: ${description}`, async () => {
      const created = await createIntent(account.type);
      assert.deepEqual(created.payment_method_types, ['card', account.type]);
      const { status, body } = await confirmDebit(created, account);
      assert.deepEqual([status, body.status], [200, 'processing']);
      if (outcome.settlesAfterSeconds > 0) {
        const { status: later } = await stripe.paymentIntents.retrieve(created.id);
        assert.equal(later, 'processing');
        await callSandboxAdmin(url, '/clock', { seconds: outcome.settlesAfterSeconds });
      }
      const { intent, charge } = await settled(created.id);
      const { failure } = outcome;
      assert.deepEqual(await eventsOf(intent.id).then((types) => types.slice(0, 5)), [
        'payment_intent.created',
        'charge.pending',
        'payment_intent.processing',
        failure ? 'charge.failed' : 'charge.succeeded',
        failure ? 'payment_intent.payment_failed' : 'payment_intent.succeeded',
      ]);
      if (!failure) {
        assert.deepEqual([intent.status, intent.amount_received], ['succeeded', 5000]);
        assert.deepEqual([charge.status, charge.paid], ['succeeded', true]);
        assert.notEqual(charge.balance_transaction, null);
        return;
      }
      assert.equal(intent.status, 'requires_payment_method');
      assert.partialDeepStrictEqual(intent.last_payment_error, {
        ...failure,
        charge: charge.id,
        payment_method: { type: account.type },
      });
      assert.partialDeepStrictEqual(charge, {
        status: 'failed',
        paid: false,
        failure_code: failure.code,
        balance_transaction: null,
      });
      assert.equal((await confirmDebit(intent, account)).body.status, 'processing');
    });
  }

  test('names the account by its last digits, and stores no number', async () => {
    const created = await createIntent('sepa_debit');
    await confirmDebit(created, sepa(IBAN.succeeds));
    await settled(created.id);
    const { latest_charge } = await stripe.paymentIntents.retrieve(created.id, {
      expand: ['latest_charge.payment_method_details.sepa_debit.mandate'],
    });
    const charge = latest_charge as Stripe.Charge;
    assert.match(charge.id, /^py_/);
    const { type, sepa_debit } = charge.payment_method_details ?? {};
    assert.partialDeepStrictEqual(
      { type, sepa_debit },
      {
        type: 'sepa_debit',
        sepa_debit: { country: 'AT', bank_code: '19043', last4: '3201' },
      },
    );
    const mandate = sepa_debit?.mandate as unknown as Stripe.Mandate;
    assert.partialDeepStrictEqual(mandate, {
      status: 'active',
      type: 'single_use',
      single_use: { amount: 5000, currency: 'eur' },
    });
    const method = await stripe.paymentMethods.retrieve(String(mandate.payment_method));
    assert.equal(method.sepa_debit?.last4, '3201');
    assert.ok(!JSON.stringify(method).includes(IBAN.succeeds));
  });

  for (const [account, amount, fee] of [
    [ACH, 10_000, 80],
    [ACH, 100_000, 500],
    [sepa(IBAN.succeeds), 5000, 35],
  ] as const) {
    test(`of ${amount} by ${account.type} costs ${fee}`, async () => {
      const isEuro = account.type === 'sepa_debit';
      const created = await createIntent(account.type, {
        amount,
        currency: isEuro ? 'eur' : 'usd',
      });
      await confirmDebit(created, account);
      const { charge } = await settled(created.id);
      const transaction = await stripe.balanceTransactions.retrieve(
        String(charge.balance_transaction),
      );
      assert.equal(transaction.type, 'payment');
      assert.equal(transaction.reporting_category, 'charge');
      // The balance of the account is in dollars; a euro is 1.10 dollars in the sandbox.
      assert.equal(transaction.fee, isEuro ? Math.round(fee * 1.1) : fee);
    });
  }

  test('can be refunded after it has succeeded, and not before', async () => {
    const created = await createIntent('sepa_debit');
    const { body } = await confirmDebit(created, sepa(IBAN.succeedsLate));
    const refund = () => stripe.refunds.create({ payment_intent: created.id });
    await assert.rejects(refund(), { statusCode: 400 });
    assert.equal(body.status, 'processing');
    await callSandboxAdmin(url, '/clock', { seconds: 180 });
    const { status, balance_transaction } = await refund();
    assert.equal(status, 'succeeded');
    const { type } = await stripe.balanceTransactions.retrieve(String(balance_transaction));
    assert.equal(type, 'payment_refund');
  });

  test('that the donor disputes is lost at once', async () => {
    const created = await createIntent('sepa_debit');
    await confirmDebit(created, sepa(IBAN.disputed));
    await settled(created.id);
    const dispute = await waitFor(
      async () => (await stripe.disputes.list({ payment_intent: created.id })).data[0],
    );
    assert.deepEqual(
      [dispute.status, dispute.reason, dispute.evidence_details.due_by],
      ['lost', 'debit_not_authorized', null],
    );
    assert.deepEqual(await eventsOf(dispute.id), [
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.closed',
    ]);
  });

  test('cannot be canceled, changed or confirmed again while it is processing', async () => {
    const created = await createIntent('sepa_debit');
    await confirmDebit(created, sepa(IBAN.succeedsLate));
    const expected = { code: 'payment_intent_unexpected_state' };
    await assert.rejects(stripe.paymentIntents.cancel(created.id), expected);
    await assert.rejects(
      stripe.paymentIntents.update(created.id, { allowed_payment_method_types: ['card'] }),
      expected,
    );
    const { body } = await confirmDebit(created, sepa(IBAN.succeeds));
    assert.equal(body.error.code, 'payment_intent_unexpected_state');
  });

  test('is decided after a restart in between', async () => {
    const dataDir = temporaryFolder();
    const first = await startTestSandbox({ dataDir });
    const debits = bankDebitsAt(first.url);
    const created = await debits.createIntent('sepa_debit');
    await debits.confirmDebit(created, sepa(IBAN.failsLate));
    await first.stop();
    const second = await startTestSandbox({ dataDir });
    await callSandboxAdmin(second.url, '/clock', { seconds: 180 });
    const { intent } = await bankDebitsAt(second.url).settled(created.id);
    assert.equal(intent.last_payment_error?.code, 'debit_not_authorized');
  });

  for (const [description, account, code] of [
    ['an IBAN with a wrong digit', sepa('AT611904300234573202'), 'invalid_bank_account_iban'],
    ['a real IBAN', sepa('DE89370400440532013000'), 'payment_method_invalid_parameter_testmode'],
    [
      'a routing number with a wrong digit',
      { ...ACH, routing_number: '110000001' },
      'routing_number_invalid',
    ],
    ['letters', { ...ACH, account_number: 'abc' }, 'account_number_invalid'],
    [
      'a real account number',
      { ...ACH, account_number: '123456789' },
      'payment_method_invalid_parameter_testmode',
    ],
  ] as const) {
    test(`of ${description} is rejected`, async () => {
      const { status, body } = await confirmDebit(await createIntent(account.type), account);
      assert.deepEqual([status, body.error.code], [400, code]);
    });
  }

  test('needs the name of the donor', async () => {
    const { id } = await createIntent('us_bank_account');
    const { type, ...us_bank_account } = ACH;
    await assert.rejects(
      stripe.paymentIntents.confirm(id, { payment_method_data: { type, us_bank_account } }),
      { code: 'parameter_missing', param: 'payment_method_data[billing_details][name]' },
    );
  });
});

describe('a saved bank account', () => {
  for (const [type, token] of [
    ['sepa_debit', 'pm_success_at'],
    ['us_bank_account', 'pm_usBankAccount_success'],
  ] as const) {
    test(`is set up without a payment: ${type}`, async () => {
      const { id: customer } = await stripe.customers.create();
      const setup = await stripe.setupIntents.create({
        customer,
        allowed_payment_method_types: ['card', 'link', type],
        confirm: true,
        payment_method: token,
        expand: ['mandate'],
      });
      assert.equal(setup.status, 'succeeded');
      assert.deepEqual(setup.payment_method_types, ['card', 'link', type]);
      const mandate = setup.mandate as Stripe.Mandate;
      assert.deepEqual([mandate.status, mandate.type], ['active', 'multi_use']);
      const method = await stripe.paymentMethods.retrieve(String(setup.payment_method));
      assert.deepEqual([method.type, method.customer], [type, customer]);
    });
  }

  test('has a mandate that can be ended', async () => {
    const { id: customer } = await stripe.customers.create();
    const { payment_method } = await stripe.setupIntents.create({
      customer,
      allowed_payment_method_types: ['sepa_debit'],
      confirm: true,
      payment_method: 'pm_success_at',
    });
    const mandate = await callSandboxAdmin(url, '/mandates/end', {
      account: 'acct_harbor_street',
      payment_method,
    });
    assert.deepEqual([mandate['status'], mandate['payment_method']], ['inactive', payment_method]);
    assert.deepEqual(await eventsOf(String(mandate['id'])), [
      'setup_intent.succeeded',
      'mandate.updated',
    ]);
  });
});
