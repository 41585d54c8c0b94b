import { sql } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';

/**
 * SQL sum of donations less refunds and disputes. A donation that was both refunded and disputed
 * counts as 0, not as a negative amount.
 */
export const RAISED_CENTS = sql<number>`coalesce(sum(greatest(
  amount_cents - refunded_amount_cents - disputed_amount_cents, 0)), 0)::float8`;

/**
 * Loads the amounts raised for campaigns, keyed by campaign id, in minor units of the
 * organization's currency. Donations in other currencies are not included.
 */
export async function loadRaisedCents(
  db: Db,
  organizationId: string,
  campaignIds: readonly string[],
): Promise<Map<string, number>> {
  if (campaignIds.length === 0) return new Map();
  const rows = await forOrganization(db, organizationId)
    .selectFrom('donation')
    .innerJoin('organization', (join) =>
      join
        .onRef('organization.id', '=', 'donation.organization_id')
        .onRef('organization.currency', '=', 'donation.currency'),
    )
    .where('donation.campaign_id', 'in', campaignIds)
    .groupBy('donation.campaign_id')
    .select(['donation.campaign_id', RAISED_CENTS.as('raised_cents')])
    .$narrowType<{ campaign_id: string }>()
    .execute();
  return new Map(rows.map(({ campaign_id, raised_cents }) => [campaign_id, raised_cents]));
}
