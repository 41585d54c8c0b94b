import { forOrganization } from '../../db/organization-scope.ts';
import type { Tx } from '../../db/schema.ts';
import { isId } from '../../lib/id.ts';
import { enqueueEmail } from '../../mail/queue.ts';
import { ownedId } from '../owned-id.ts';
import type { SubscriptionSnapshot } from '../stripe/map-subscription.ts';
import { feeCoverFromMetadata } from './fee-cover.ts';
import { enqueueChangeEmails, firstFailedEmail } from './subscription-emails.ts';
import type { SubscriptionRow } from './find-subscriptions.ts';

/** A subscription that was fetched from Stripe, to be saved. */
interface SubscriptionUpdate {
  organizationId: string;
  snapshot: SubscriptionSnapshot;
  /** Row version from `nextRowVersion`, drawn before the subscription was fetched. */
  rowVersion: number;
}

/**
 * Creates or updates a subscription from what was fetched from Stripe and enqueues emails to the
 * donor about the changes.
 *
 * A subscription whose first payment was never made is deleted.
 *
 * @returns whether anything changed
 */
export async function saveSubscription(tx: Tx, update: SubscriptionUpdate): Promise<boolean> {
  const { organizationId, snapshot, rowVersion } = update;
  const plans = forOrganization(tx, organizationId);
  const before = await lockSubscription(tx, update);
  if (!before) return await insertSubscription(tx, update);
  if (before.row_version >= rowVersion) return false;
  if (snapshot.status === 'expired') {
    await plans.deleteFrom('recurring_plan').where('id', '=', before.id).execute();
    return true;
  }
  const next = {
    ...columnsOf(snapshot),
    // The donor may have been erased, which ends the subscription first: a late event must not bring the
    // card back (docs/decisions/0101-donor-data.md).
    ...(before.status === 'canceled' && cardOf(before)),
    ...(snapshot.card &&
      snapshot.card.id !== before.payment_method_id && { payment_method_lost_at: null }),
    ...failureColumns(snapshot),
    status: snapshot.status,
    row_version: rowVersion,
  };
  await plans.updateTable('recurring_plan').set(next).where('id', '=', before.id).execute();
  const after = { ...before, ...next };
  await enqueueChangeEmails(tx, before, after, snapshot);
  return COMPARED_COLUMNS.some((key) => String(before[key]) !== String(after[key]));
}

const lockSubscription = (
  tx: Tx,
  { organizationId, snapshot }: SubscriptionUpdate,
): Promise<SubscriptionRow | undefined> =>
  forOrganization(tx, organizationId)
    .selectFrom('recurring_plan')
    .selectAll()
    .where('processor_subscription_id', '=', snapshot.subscriptionId)
    .forUpdate()
    .executeTakeFirst();

/**
 * Inserts a subscription. Also works if a crash happened before it was saved, because its metadata
 * contains everything needed.
 */
async function insertSubscription(tx: Tx, update: SubscriptionUpdate): Promise<boolean> {
  const { organizationId, snapshot, rowVersion } = update;
  const { metadata, status } = snapshot;
  const id = metadata['plan_id'];
  if (status === 'expired' || !id || !isId(id)) return false;
  const row = await forOrganization(tx, organizationId)
    .insertInto('recurring_plan', {
      id,
      ...columnsOf(snapshot),
      ...failureColumns(snapshot),
      status,
      row_version: rowVersion,
      donor_name: metadata['donor_name'] ?? null,
      donor_email: metadata['donor_email'] ?? null,
      fund_id: ownedId(tx, 'fund', organizationId, metadata['fund_id']),
      campaign_id: ownedId(tx, 'campaign', organizationId, metadata['campaign_id']),
      form_id: ownedId(tx, 'form', organizationId, metadata['form_id']),
      locale: metadata['locale'] ?? null,
      amounts: metadata['amounts'] ?? '',
      payment_method_types: metadata['payment_method_types']?.split(',') ?? null,
      source: metadata['source'] === 'embed' ? 'embed' : 'api',
      source_id: metadata['source_id'] ?? null,
      processor_subscription_id: snapshot.subscriptionId,
      processor_customer_id: snapshot.customerId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row) {
    if (snapshot.isFirstPaymentReturned)
      await enqueueEmail(tx, { ...firstFailedEmail(snapshot), organizationId, planId: row.id });
    return true;
  }
  // Either a concurrent call inserted the row, whose version may be older than this one, or a
  // second subscription at Stripe has the same plan id, because Stripe created one although it
  // returned an error.
  return (await lockSubscription(tx, update)) ? await saveSubscription(tx, update) : false;
}

const cardOf = ({ payment_method_id, card_label }: SubscriptionRow) => ({
  payment_method_id,
  card_label,
});

const columnsOf = (snapshot: SubscriptionSnapshot) => ({
  livemode: snapshot.livemode,
  amount_cents: snapshot.amountCents,
  currency: snapshot.currency,
  fee_cover: feeCoverFromMetadata(snapshot.metadata) ?? '',
  frequency: snapshot.frequency,
  payment_method_id: snapshot.card?.id ?? null,
  card_label: snapshot.card?.label ?? null,
  next_payment_at: snapshot.nextPaymentAt,
  canceled_at: snapshot.canceledAt,
});

/** The failed payment of a plan that is past due. Its latest invoice may be one that was not tried yet. */
function failureColumns({ status, failure }: SubscriptionSnapshot) {
  if (status !== 'past_due')
    return { failure_code: null, failed_attempts: null, next_attempt_at: null };
  return (
    failure && {
      failure_code: failure.code,
      failed_attempts: failure.attempts,
      next_attempt_at: failure.nextAttemptAt,
      failed_invoice_id: failure.invoiceId,
    }
  );
}

const COMPARED_COLUMNS = [
  'status',
  'failed_attempts',
  'amount_cents',
  'payment_method_id',
  'next_payment_at',
] as const;
