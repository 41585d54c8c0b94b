import assert from 'node:assert/strict';
import { beforeEach, describe, mock, test } from 'node:test';
import type { PaymentIntent } from '@connect-embed/contract';
import { startManualEventsSandbox } from '../../../test-support/app/manual-events-sandbox.ts';
import { cardPayment } from '../../../test-support/donations/payment-snapshot.ts';
import type { PaymentState } from '../stripe/payment-state.ts';
import { compareProcessing, compareStoredProcessing } from './compare-processing.ts';
import type { Difference } from './difference.ts';

const { db, deps, post, token } = await startManualEventsSandbox();
const ORGANIZATION = { id: 'org_harbor', account: 'acct_harbor_street', livemode: false };

const states = new Map<string, PaymentState>();
mock.method(deps.processor, 'retrievePaymentState', async (id: string) => states.get(id)!);
mock.method(deps.processor, 'findSucceededPayment', async (id: string) => {
  const { amountCents, metadata, paymentMethod, status } = states.get(id)!;
  if (status !== 'succeeded') return undefined;
  return cardPayment({
    paymentIntentId: id,
    amountCents,
    metadata,
    paymentMethod,
    cardBrand: null,
  });
});

beforeEach(async () => {
  await db.deleteFrom('mail').execute();
  await db.deleteFrom('payment_intent').execute();
});

/** Creates a payment intent that is stored with one status, and has another one at Stripe. */
async function paymentWith(stored: 'open' | 'processing', atStripe: PaymentState['status']) {
  const person = { donor_name: 'Ana Ruiz', donor_email: 'ana@example.org' };
  const response = await post('/payment-intents', token, { amount_cents: 2000, ...person });
  const { payment_intent_id: id, reference } = (await response.json()) as PaymentIntent;
  const metadata = { organization_id: 'org_harbor', reference, ...person };
  states.set(id, {
    paymentIntentId: id,
    livemode: false,
    ...{ status: atStripe, amountCents: 2000, currency: 'usd', paymentMethod: 'sepa_debit' },
    ...{ chargeId: `py_${id}`, confirmedAt: new Date('2026-11-02T10:00:00Z'), metadata },
    failure: { code: 'insufficient_funds', message: 'The account has too little money.' },
  });
  if (stored === 'processing') {
    await db
      .updateTable('payment_intent')
      .set({ status: 'processing', payment_method: 'sepa_debit', ...person })
      .where('id', '=', id)
      .execute();
  }
  return { id, metadata };
}

type Listed = Parameters<typeof compareProcessing>[3][number];

/** Compares both directions. @returns the differences */
async function compare(
  listed: { id: string; customer?: string; metadata: object }[] = [],
  repair = true,
) {
  const differences: Difference[] = [];
  let checked = 0;
  const report = {
    onDifference: (difference: Difference) => void differences.push(difference),
    onChecked: (count: number) => void (checked += count),
  };
  const options = { from: new Date(0), repair };
  await compareProcessing(deps, ORGANIZATION, options, listed as Listed[], report);
  await compareStoredProcessing(deps, ORGANIZATION, options, report);
  return { differences, checked };
}

const rowOf = (id: string) =>
  db.selectFrom('payment_intent').selectAll().where('id', '=', id).executeTakeFirst();
const mailKinds = async () =>
  (await db.selectFrom('mail').select('kind').execute()).map(({ kind }) => kind);

describe('reconciliation of payments that are on their way', () => {
  test('stores one whose event was lost, also if a crash lost its row', async () => {
    for (const isLost of [false, true]) {
      await db.deleteFrom('mail').execute();
      const payment = await paymentWith('open', 'processing');
      if (isLost) await db.deleteFrom('payment_intent').where('id', '=', payment.id).execute();
      const { differences } = await compare([payment]);
      assert.partialDeepStrictEqual(differences, [{ id: payment.id, isRepaired: true }]);
      assert.partialDeepStrictEqual(await rowOf(payment.id), {
        ...{ status: 'processing', donor_email: 'ana@example.org' },
        expected_at: new Date('2026-11-09T10:00:00Z'),
      });
      assert.deepEqual(await mailKinds(), ['donation_processing']);
      assert.deepEqual((await compare([payment])).differences, []);
    }
  });

  test('ignores one of another system on the account, without a call to Stripe', async () => {
    const findInvoice = mock.method(deps.processor, 'findInvoiceOfPayment');
    const { differences } = await compare([
      { id: 'pi_other', customer: 'cus_other', metadata: {} },
    ]);
    assert.deepEqual(differences, []);
    assert.equal(findInvoice.mock.callCount(), 0);
    findInvoice.mock.restore();
  });

  test('records the donation of one that has succeeded', async () => {
    const { id } = await paymentWith('processing', 'succeeded');
    const { differences, checked } = await compare();
    assert.partialDeepStrictEqual(differences, [{ id, isRepaired: true }]);
    assert.equal(checked, 1);
    assert.equal((await rowOf(id))?.status, 'succeeded');
    assert.deepEqual(await mailKinds(), ['receipt']);
    assert.deepEqual((await compare()).differences, []);
  });

  test('tells the donor of one that was returned', async () => {
    const { id } = await paymentWith('processing', 'failed');
    assert.partialDeepStrictEqual((await compare()).differences, [{ id, isRepaired: true }]);
    assert.partialDeepStrictEqual(await rowOf(id), {
      ...{ status: 'failed', failure_code: 'insufficient_funds', failed_attempts: 0 },
    });
    assert.deepEqual(await mailKinds(), ['donation_returned']);
    assert.deepEqual((await compare()).differences, []);
  });

  test('ends one that was returned, also if our clock is behind that of Stripe', async () => {
    const { id } = await paymentWith('processing', 'failed');
    const status_at = new Date(Date.now() + 3_600_000);
    await db.updateTable('payment_intent').set({ status_at }).where('id', '=', id).execute();
    assert.partialDeepStrictEqual((await compare()).differences, [{ id, isRepaired: true }]);
    assert.equal((await rowOf(id))?.status, 'failed');
  });

  test('only reports in a dry run', async () => {
    const missing = await paymentWith('open', 'processing');
    const ended = await paymentWith('processing', 'succeeded');
    const { differences } = await compare([missing], false);
    assert.deepEqual(
      differences.map(({ id, isRepaired }) => [id, isRepaired]),
      [
        [missing.id, false],
        [ended.id, false],
      ],
    );
    assert.equal((await rowOf(missing.id))?.status, 'open');
    assert.equal((await rowOf(ended.id))?.status, 'processing');
  });
});
