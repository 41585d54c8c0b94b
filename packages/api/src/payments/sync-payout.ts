import { sql } from 'kysely';
import { forOrganization } from '../db/organization-scope.ts';
import type { WorkerDeps } from './deps.ts';
import type { Tx } from '../db/schema.ts';
import { newId } from '../lib/id.ts';
import type { Outcome } from './stripe-events/event-handler.ts';
import { isEventHandled, markEventHandled } from './stripe-events/handled-events.ts';
import type { PayoutSnapshot } from './stripe/payouts.ts';
import { resourceEvent, type EnqueueEvent } from '../webhooks/enqueue-event.ts';
import { linkDonations, lockPayoutLinks } from './payout-links.ts';
import { nextRowVersion } from './row-version.ts';
import { savePaidOut } from './save-balance-transactions.ts';

/** Identifies the payout to fetch from Stripe and the event that triggered it. */
interface PayoutRef {
  organizationId: string;
  /** Id of the organization's Stripe account. */
  account: string;
  payoutId: string;
  event?: { id: string; type: string };
}

/** Fetches a payout and its transactions from Stripe and saves both. */
export async function syncPayout(deps: WorkerDeps, ref: PayoutRef): Promise<Outcome> {
  const { organizationId, account, payoutId, event } = ref;
  if (event && (await isEventHandled(deps.db, organizationId, event.id))) return 'duplicate';
  const rowVersion = await nextRowVersion(deps.db);
  const payout = await deps.processor.retrievePayout(payoutId, account);
  return await deps.db.transaction().execute(async (tx): Promise<Outcome> => {
    if (event && !(await markEventHandled(tx, organizationId, event))) return 'duplicate';
    const changed = await applyPayout(tx, deps.webhooks.enqueue, {
      organizationId,
      payout,
      rowVersion,
    });
    return changed ? 'recorded' : 'duplicate';
  });
}

interface PayoutUpdate {
  organizationId: string;
  payout: PayoutSnapshot;
  rowVersion: number;
}

/** @returns whether anything changed */
async function applyPayout(tx: Tx, enqueue: EnqueueEvent, update: PayoutUpdate): Promise<boolean> {
  const { organizationId, payout, rowVersion } = update;
  await sql`select ${lockPayoutLinks(organizationId, 'payout')}`.execute(tx);
  const created = await insertPayout(tx, update);
  const row = await lockPayout(tx, organizationId, payout.id);
  if (!row || (!created && row.row_version >= rowVersion)) return false;
  const added = await savePaidOut(tx, row, payout.transactions);
  const missing_cents = await sumMissing(tx, row, payout);
  await forOrganization(tx, organizationId)
    .updateTable('payout')
    .set({ ...columnsOf(payout), missing_cents, row_version: rowVersion })
    .where('id', '=', row.id)
    .execute();
  const statusChanged = created || row.status !== payout.status;
  if (added || statusChanged) await linkDonations(tx, organizationId, row.id);
  if (created)
    await enqueue(tx, resourceEvent('payout.created', organizationId, row.id, payout.livemode));
  const eventType = STATUS_EVENTS[payout.status];
  if (statusChanged && eventType)
    await enqueue(tx, resourceEvent(eventType, organizationId, row.id, payout.livemode));
  return statusChanged || added;
}

/** Webhook event types besides `payout.created`. A canceled payout has no event type. */
const STATUS_EVENTS: Readonly<
  Partial<Record<PayoutSnapshot['status'], 'payout.paid' | 'payout.failed'>>
> = {
  paid: 'payout.paid',
  failed: 'payout.failed',
};

const columnsOf = (payout: PayoutSnapshot) => ({
  livemode: payout.livemode,
  amount_cents: payout.amountCents,
  currency: payout.currency,
  status: payout.status,
  arrival_date: payout.arrivalDate,
  description: payout.description,
  statement_descriptor: payout.statementDescriptor,
  failure_message: payout.failureMessage,
  automatic: payout.automatic,
  trace_id: payout.traceId,
});

const insertPayout = async (tx: Tx, { organizationId, payout, rowVersion }: PayoutUpdate) =>
  (await forOrganization(tx, organizationId)
    .insertInto('payout', {
      ...columnsOf(payout),
      id: newId('po'),
      processor_payout_id: payout.id,
      created_at: payout.createdAt,
      row_version: rowVersion,
    })
    .onConflict((conflict) => conflict.column('processor_payout_id').doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;

const lockPayout = (tx: Tx, organizationId: string, processorPayoutId: string) =>
  forOrganization(tx, organizationId)
    .selectFrom('payout')
    .select(['id', 'organization_id', 'status', 'row_version'])
    .where('processor_payout_id', '=', processorPayoutId)
    .forUpdate()
    .executeTakeFirst();

/** Returns what the saved transactions lack to add up to a payout; null while Stripe has not listed them all. */
async function sumMissing(
  tx: Tx,
  { id, organization_id }: { id: string; organization_id: string },
  { amountCents, isItemized }: PayoutSnapshot,
): Promise<number | null> {
  if (!isItemized) return null;
  const { listed_cents } = await forOrganization(tx, organization_id)
    .selectFrom('balance_transaction')
    .where('payout_id', '=', id)
    .select(sql<number>`coalesce(sum(amount_cents - fee_cents), 0)::float8`.as('listed_cents'))
    .executeTakeFirstOrThrow();
  return amountCents - listed_cents;
}
