import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { startManualEventsSandbox } from '../../../test-support/app/manual-events-sandbox.ts';
import { storeBalance } from './store-balance.ts';

const { db, deps } = await startManualEventsSandbox();

const PAYOUT = { automatic: true, status: 'paid', currency: 'usd' };
const payouts = [
  { ...PAYOUT, id: 'po_failed', status: 'failed', created: Date.parse('2026-11-13T00:10Z') / 1000 },
  { ...PAYOUT, id: 'po_manual', automatic: false, created: Date.parse('2026-11-12T09:00Z') / 1000 },
  { ...PAYOUT, id: 'po_latest', created: Date.parse('2026-11-10T00:10Z') / 1000 },
  { ...PAYOUT, id: 'po_earlier', created: Date.parse('2026-11-09T00:10Z') / 1000 },
];

const transaction = (id: string, created: string, available: string, sourceId = `ch_${id}`) => ({
  ...{ id, sourceId, paymentIntentId: null, reportingCategory: 'charge' },
  ...{ amountCents: 1000, feeCents: 0, feeDetails: [], currency: 'usd', exchangeRate: null },
  ...{ createdAt: new Date(created), availableOn: new Date(available) },
});

test('the first time, keeps what the latest automatic payout has left', async () => {
  const listed = [
    transaction('txn_failed', '2026-11-13T00:10Z', '2026-11-15', 'po_failed'),
    transaction('txn_manual', '2026-11-12T09:00Z', '2026-11-14', 'po_manual'),
    transaction('txn_pending', '2026-11-09T12:00Z', '2026-11-12'),
    transaction('txn_refund', '2026-11-10T15:00Z', '2026-11-10', 're_1'),
    transaction('txn_latest', '2026-11-10T00:10Z', '2026-11-12', 'po_latest'),
    transaction('txn_earlier', '2026-11-09T00:10Z', '2026-11-11', 'po_earlier'),
    transaction('txn_paid_out', '2026-11-05T12:00Z', '2026-11-09'),
  ];
  mock.method(deps.processor, 'listPayouts', async function* () {
    yield payouts;
  });
  mock.method(deps.processor, 'listBalanceTransactions', async function* () {
    yield listed;
  });
  await db.deleteFrom('balance_transaction').execute();
  const organization = { id: 'org_harbor', account: 'acct_harbor_street', livemode: false };
  await storeBalance(deps, { ...organization, comparedAt: null, isCounted: true }, new Date());
  const saved = await db
    .selectFrom('balance_transaction')
    .select('processor_transaction_id')
    .orderBy('processor_transaction_id')
    .execute();
  assert.deepEqual(
    saved.map((row) => row.processor_transaction_id),
    ['txn_failed', 'txn_manual', 'txn_pending', 'txn_refund'],
  );
});
