import type { Selectable } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { WorkerDeps } from '../deps.ts';
import type { PaymentContext } from '../payment-context.ts';

/** A recurring donation: a subscription at Stripe as it was last fetched. */
export type SubscriptionRow = Selectable<Database['recurring_plan']>;

/**
 * Finds an organization's subscriptions by their ids at Stripe, because others may edit their
 * metadata there.
 */
export async function findSubscriptions(
  db: Db,
  organizationId: string,
  subscriptionIds: readonly string[],
): Promise<Map<string, SubscriptionRow>> {
  if (subscriptionIds.length === 0) return new Map();
  const rows = await forOrganization(db, organizationId)
    .selectFrom('recurring_plan')
    .selectAll()
    .where('processor_subscription_id', 'in', subscriptionIds)
    .execute();
  return new Map(rows.map((row) => [row.processor_subscription_id, row]));
}

/**
 * Finds the subscription whose invoice a payment intent pays. The payment intents of later invoices are created by
 * Stripe, so they are not stored here and have no metadata of ours.
 */
export async function findSubscriptionOfPayment(
  { db, processor }: Pick<WorkerDeps, 'db' | 'processor'>,
  { organizationId, account, paymentIntentId }: PaymentRef,
): Promise<{ subscription: SubscriptionRow; isRenewal: boolean } | undefined> {
  const invoice = await processor.findInvoiceOfPayment(paymentIntentId, account);
  if (!invoice) return undefined;
  const { subscriptionId, isFirst } = invoice;
  const found = await findSubscriptions(db, organizationId, [subscriptionId]);
  const subscription = found.get(subscriptionId);
  return subscription && { subscription, isRenewal: !isFirst };
}

type PaymentRef = Pick<PaymentContext, 'organizationId' | 'account' | 'paymentIntentId'>;

/** Returns the metadata that the subscription was created with, from our database. */
export function originalMetadata(row: SubscriptionRow): Record<string, string> {
  const { organization_id, donor_name, donor_email, fund_id, campaign_id, form_id } = row;
  const { id: plan_id, locale, source, source_id } = row;
  const all = { organization_id, plan_id, donor_name, donor_email, fund_id, campaign_id, form_id };
  return Object.fromEntries(
    Object.entries({ ...all, locale, source, source_id }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  );
}
