import type { Selectable, Transaction } from 'kysely';
import type { Database } from '../db/schema.ts';
import { isId } from '../id.ts';
import { ownOrNull } from '../own-or-null.ts';
import type { PlanTruth } from '../processor/plan-truth.ts';
import { feeCoverIn } from './fee-cover.ts';
import { enqueueChanges } from './plan-mails.ts';

type Tx = Transaction<Database>;
export type PlanRow = Selectable<Database['recurring_plan']>;

/** What the processor told of a plan, and when we asked. */
export interface PlanReading {
  organizationId: string;
  truth: PlanTruth;
  /** Of `takeReading`, drawn before the processor was asked. */
  reading: number;
}

/**
 * Sets a plan to what the processor tells of it, and tells the donor what that changed.
 *
 * A plan whose first payment never came is taken away again: nobody has promised anything.
 *
 * @returns whether anything changed
 */
export async function writePlan(tx: Tx, plan: PlanReading): Promise<boolean> {
  const { truth, reading } = plan;
  const before = await lockPlan(tx, truth.subscriptionId);
  if (!before) return await insertPlan(tx, plan);
  if (before.reading >= reading) return false;
  if (truth.status === 'expired') {
    await tx.deleteFrom('recurring_plan').where('id', '=', before.id).execute();
    return true;
  }
  const next = { ...stateOf(truth), status: truth.status, reading };
  await tx.updateTable('recurring_plan').set(next).where('id', '=', before.id).execute();
  await enqueueChanges(tx, before, { ...before, ...next });
  return KEPT.some((key) => String(before[key]) !== String(next[key]));
}

const lockPlan = (tx: Tx, subscriptionId: string): Promise<PlanRow | undefined> =>
  tx
    .selectFrom('recurring_plan')
    .selectAll()
    .where('processor_subscription_id', '=', subscriptionId)
    .forUpdate()
    .executeTakeFirst();

/** Also where we forgot that we had asked: everything that is to be known came back. */
async function insertPlan(tx: Tx, plan: PlanReading): Promise<boolean> {
  const { organizationId, truth, reading } = plan;
  const { metadata, status } = truth;
  const id = metadata['plan_id'];
  if (status === 'expired' || !id || !isId(id)) return false;
  const row = await tx
    .insertInto('recurring_plan')
    .values({
      id,
      organization_id: organizationId,
      ...stateOf(truth),
      status,
      reading,
      donor_name: metadata['donor_name'] ?? null,
      donor_email: metadata['donor_email'] ?? null,
      fund_id: await ownOrNull(tx, 'fund', organizationId, metadata['fund_id']),
      campaign_id: await ownOrNull(tx, 'campaign', organizationId, metadata['campaign_id']),
      locale: metadata['locale'] ?? null,
      amounts: metadata['amounts'] ?? '',
      source: metadata['source'] === 'embed' ? 'embed' : 'api',
      source_id: metadata['source_id'] ?? null,
      processor_subscription_id: truth.subscriptionId,
      processor_customer_id: truth.customerId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row) return true;
  // Another process was first: what it read may be older than this. Or the name is taken by another
  // subscription, of which the processor did not tell that it had made it.
  return (await lockPlan(tx, truth.subscriptionId)) ? await writePlan(tx, plan) : false;
}

const stateOf = (truth: PlanTruth) => ({
  amount_cents: truth.amountCents,
  currency: truth.currency,
  fee_cover: feeCoverIn(truth.metadata) ?? '',
  frequency: truth.frequency,
  payment_method_id: truth.card?.id ?? null,
  card_label: truth.card?.label ?? null,
  next_payment_at: truth.nextPaymentAt,
  canceled_at: truth.canceledAt,
});

const KEPT = ['status', 'amount_cents', 'payment_method_id', 'next_payment_at'] as const;
