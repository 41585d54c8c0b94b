import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { startFaultyNetwork, type Fault } from '../../../test-support/network/faulty-network.ts';
import { startApi, stripeAt } from '../../../test-support/app/start-api.ts';
import { readConfig } from '../../config.ts';
import { createProcessor } from './processor.ts';

const { sandboxUrl } = await startApi({ sandbox: true, sandboxEvents: false });
const network = await startFaultyNetwork(sandboxUrl);
after(network.stop);
const processor = createProcessor(readConfig({ SANDBOX_URL: network.url }).processor);
const stripe = stripeAt(sandboxUrl);
const ACCOUNT = { stripeAccount: 'acct_harbor_street' };

async function createPaidIntent(): Promise<string> {
  const intent = await stripe.paymentIntents.create({ amount: 4000, currency: 'usd' }, ACCOUNT);
  await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }, ACCOUNT);
  return intent.id;
}

const rejection = (isReplayed: boolean): Fault => ({
  status: 400,
  body: JSON.stringify({ error: { type: 'invalid_request_error', code: 'balance_insufficient' } }),
  headers: isReplayed ? { 'idempotent-replayed': 'true' } : {},
});

describe('createRefund', () => {
  const refundParamsFor = (paymentIntentId: string) => ({
    account: ACCOUNT.stripeAccount,
    paymentIntentId,
    amountCents: 4000,
    reason: 'requested_by_customer' as const,
    metadata: {},
    idempotencyKey: randomUUID(),
  });
  const countRefunds = async (payment_intent: string) =>
    (await stripe.refunds.list({ payment_intent }, ACCOUNT)).data.length;

  test('creates a refund once the cause of a rejection is gone, though Stripe replays the rejection', async () => {
    const id = await createPaidIntent();
    const refundParams = refundParamsFor(id);
    network.faults.push(rejection(false));
    await assert.rejects(processor.createRefund(refundParams), {
      type: 'conflict',
      message: /balance/,
    });
    network.faults.push(rejection(true));
    assert.equal((await processor.createRefund(refundParams)).amountCents, 4000);
    assert.equal(await countRefunds(id), 1);
  });

  test('creates one refund for repeated requests', async () => {
    const id = await createPaidIntent();
    const refundParams = refundParamsFor(id);
    await processor.createRefund(refundParams);
    network.faults.push(rejection(true)); // Stripe replays the rejection of an earlier request.
    await processor.createRefund(refundParams);
    assert.equal(await countRefunds(id), 1);
  });

  for (const status of ['failed', 'canceled']) {
    test(`creates a new refund if the earlier one is ${status} and returned no money`, async () => {
      const id = await createPaidIntent();
      const refundParams = refundParamsFor(id);
      const failedRefund = {
        id: 're_vain',
        status,
        metadata: { wish: refundParams.idempotencyKey },
      };
      const list = { object: 'list', has_more: false, data: [failedRefund] };
      network.faults.push(rejection(true), { status: 200, body: JSON.stringify(list) });
      assert.notEqual((await processor.createRefund(refundParams)).id, failedRefund.id);
      assert.equal(await countRefunds(id), 1);
    });
  }
});
