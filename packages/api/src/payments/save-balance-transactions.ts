import { forOrganization } from '../db/organization-scope.ts';
import type { Tx } from '../db/schema.ts';
import { batchesOf } from '../lib/batches.ts';
import { newId } from '../lib/id.ts';
import type { BalanceTransactionSnapshot } from './stripe/payouts.ts';

/** PostgreSQL allows 65,535 parameters in one statement. */
const BATCH_SIZE = 1000;

/**
 * Saves the transactions of a payout. Saved ones never change, except that a payout takes those that were saved
 * before it existed. Acquire `lockPayoutLinks` first.
 *
 * @returns whether any was new in the payout
 */
export async function savePaidOut(
  tx: Tx,
  { id, organization_id }: { id: string; organization_id: string },
  transactions: readonly BalanceTransactionSnapshot[],
): Promise<boolean> {
  const organization = forOrganization(tx, organization_id);
  let added = false;
  for (const batch of batchesOf(transactions, BATCH_SIZE)) {
    const { numUpdatedRows } = await organization
      .updateTable('balance_transaction')
      .set({ payout_id: id })
      .where('payout_id', 'is', null)
      .where('processor_transaction_id', 'in', idsOf(batch))
      .executeTakeFirstOrThrow();
    const inserted = await organization
      .insertInto(
        'balance_transaction',
        batch.map((item) => toRow(item, id)),
      )
      .onConflict((conflict) =>
        conflict.columns(['payout_id', 'processor_transaction_id']).doNothing(),
      )
      .returning('id')
      .execute();
    added ||= numUpdatedRows > 0n || inserted.length > 0;
  }
  return added;
}

/** Saves transactions that no payout contains yet. Those that are saved already stay as they are. */
export async function saveUnpaid(
  tx: Tx,
  organizationId: string,
  transactions: readonly BalanceTransactionSnapshot[],
): Promise<void> {
  const organization = forOrganization(tx, organizationId);
  for (const batch of batchesOf(transactions, BATCH_SIZE)) {
    const saved = await organization
      .selectFrom('balance_transaction')
      .select('processor_transaction_id')
      .where('processor_transaction_id', 'in', idsOf(batch))
      .execute();
    const savedIds = new Set(saved.map((row) => row.processor_transaction_id));
    const unsaved = batch.filter(({ id }) => !savedIds.has(id));
    if (unsaved.length === 0) continue;
    await organization
      .insertInto(
        'balance_transaction',
        unsaved.map((item) => toRow(item, null)),
      )
      .execute();
  }
}

const idsOf = (transactions: readonly BalanceTransactionSnapshot[]) =>
  transactions.map(({ id }) => id);

const toRow = (transaction: BalanceTransactionSnapshot, payoutId: string | null) => ({
  id: newId('btx'),
  payout_id: payoutId,
  processor_transaction_id: transaction.id,
  processor_source_id: transaction.sourceId,
  processor_payment_intent_id: transaction.paymentIntentId,
  reporting_category: transaction.reportingCategory,
  amount_cents: transaction.amountCents,
  fee_cents: transaction.feeCents,
  fee_details: JSON.stringify(transaction.feeDetails),
  currency: transaction.currency,
  exchange_rate: transaction.exchangeRate,
  available_on: transaction.availableOn,
  created_at: transaction.createdAt,
});
