import type { Transaction } from 'kysely';
import type { WorkDeps } from '../env.ts';
import type { Database } from '../db/schema.ts';
import { newId } from '../id.ts';
import type { Outcome } from '../processor-events/handler.ts';
import { isKnown, keepEvent } from '../processor-events/keep-event.ts';
import type { PaidPayout } from '../processor/payouts.ts';
import { payoutNotice, type Enqueue } from '../webhooks/notice.ts';
import { lockPayoutLinks } from './payout-lock.ts';
import { takeReading } from './reading.ts';

type Tx = Transaction<Database>;

/** Where a deposit is to be looked up, and why. */
export interface PayoutPlace {
  organizationId: string;
  /** The organization's account at the processor. */
  account: string;
  payoutId: string;
  event?: { id: string; type: string };
}

/** Asks the processor for a deposit and sets it, and what it is made of, to the truth. */
export async function syncPayout(deps: WorkDeps, place: PayoutPlace): Promise<Outcome> {
  const { organizationId, account, payoutId, event } = place;
  if (event && (await isKnown(deps.db, event.id))) return 'duplicate';
  const reading = await takeReading(deps.db);
  const payout = await deps.processor.retrievePayout(payoutId, account);
  return await deps.db.transaction().execute(async (tx): Promise<Outcome> => {
    if (event && !(await keepEvent(tx, organizationId, event))) return 'duplicate';
    const changed = await setPayout(tx, deps.webhooks.enqueue, { organizationId, payout, reading });
    return changed ? 'recorded' : 'duplicate';
  });
}

interface PayoutReading {
  organizationId: string;
  payout: PaidPayout;
  reading: number;
}

/** @returns whether anything changed */
async function setPayout(tx: Tx, enqueue: Enqueue, told: PayoutReading): Promise<boolean> {
  const { organizationId, payout, reading } = told;
  await lockPayoutLinks(tx, organizationId, 'payout');
  const created = await insert(tx, told);
  const row = await lock(tx, organizationId, payout.id);
  if (!row || (!created && row.reading >= reading)) return false;
  const added = await keepEntries(tx, row, payout);
  await tx
    .updateTable('payout')
    .set({ ...columnsOf(payout), reading })
    .where('id', '=', row.id)
    .execute();
  const moved = created || row.status !== payout.status;
  if (created) await enqueue(tx, payoutNotice('payout.created', organizationId, row.id));
  const settled = NOTICES[payout.status];
  if (moved && settled) await enqueue(tx, payoutNotice(settled, organizationId, row.id));
  return moved || added;
}

/** What is told besides that it was made. There is no word for one that was called off. */
const NOTICES: Readonly<Partial<Record<PaidPayout['status'], 'payout.paid' | 'payout.failed'>>> = {
  paid: 'payout.paid',
  failed: 'payout.failed',
};

const columnsOf = (payout: PaidPayout) => ({
  amount_cents: payout.amountCents,
  currency: payout.currency,
  status: payout.status,
  arrival_date: payout.arrivalDate,
  description: payout.description,
  statement_descriptor: payout.statementDescriptor,
  failure_message: payout.failureMessage,
});

const insert = async (tx: Tx, { organizationId, payout, reading }: PayoutReading) =>
  (await tx
    .insertInto('payout')
    .values({
      ...columnsOf(payout),
      id: newId('po'),
      organization_id: organizationId,
      processor_payout_id: payout.id,
      created_at: payout.createdAt,
      reading,
    })
    .onConflict((conflict) => conflict.column('processor_payout_id').doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;

const lock = (tx: Tx, organizationId: string, processorPayoutId: string) =>
  tx
    .selectFrom('payout')
    .select(['id', 'organization_id', 'status', 'reading'])
    .where('organization_id', '=', organizationId)
    .where('processor_payout_id', '=', processorPayoutId)
    .forUpdate()
    .executeTakeFirst();

/** PostgreSQL takes 65,535 parameters in one statement. */
const ENTRIES_AT_ONCE = 1000;

/** A deposit's entries are only ever added to. @returns whether any was new */
async function keepEntries(
  tx: Tx,
  { id, organization_id }: { id: string; organization_id: string },
  { entries }: PaidPayout,
): Promise<boolean> {
  const rows = entries.map((entry) => ({
    id: newId('pod'),
    organization_id,
    payout_id: id,
    processor_transaction_id: entry.transactionId,
    processor_payment_intent_id: entry.paymentIntentId,
    type: entry.type,
    amount_cents: entry.amountCents,
    fee_cents: entry.feeCents,
    currency: entry.currency,
    created_at: entry.createdAt,
  }));
  let added = false;
  for (let at = 0; at < rows.length; at += ENTRIES_AT_ONCE) {
    const inserted = await tx
      .insertInto('payout_donation')
      .values(rows.slice(at, at + ENTRIES_AT_ONCE))
      .onConflict((conflict) => conflict.column('processor_transaction_id').doNothing())
      .returning('id')
      .execute();
    added ||= inserted.length > 0;
  }
  if (added) await linkDonations(tx, organization_id, id);
  return added;
}

/** Notes on the donations of a payout that they are part of it; the first payout that names one counts. */
const linkDonations = (tx: Tx, organizationId: string, payoutId: string) =>
  tx
    .updateTable('donation')
    .from('payout_donation as entry')
    .set({ payout_id: payoutId })
    .where('entry.payout_id', '=', payoutId)
    .where('entry.type', '=', 'gift')
    .whereRef('donation.processor_payment_intent_id', '=', 'entry.processor_payment_intent_id')
    .where('donation.organization_id', '=', organizationId)
    .where('donation.payout_id', 'is', null)
    .execute();
