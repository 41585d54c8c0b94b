import type { Db } from '../db/database.ts';
import type { SubscriptionRow } from './save-subscription.ts';

/**
 * The organization's plans among these subscriptions. They are known by their subscription, whatever that
 * says of itself at the processor: others may edit it.
 */
export async function findSubscriptions(
  db: Db,
  organizationId: string,
  subscriptionIds: readonly string[],
): Promise<Map<string, SubscriptionRow>> {
  if (subscriptionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('recurring_plan')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('processor_subscription_id', 'in', subscriptionIds)
    .execute();
  return new Map(rows.map((row) => [row.processor_subscription_id, row]));
}

/** What the subscription of a plan said of it when it was begun, as far as it is known here. */
export function originalMetadata(plan: SubscriptionRow): Record<string, string> {
  const { organization_id, donor_name, donor_email, fund_id, campaign_id } = plan;
  const { id: plan_id, locale, source, source_id } = plan;
  const all = { organization_id, plan_id, donor_name, donor_email, fund_id, campaign_id };
  return Object.fromEntries(
    Object.entries({ ...all, locale, source, source_id }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  );
}
