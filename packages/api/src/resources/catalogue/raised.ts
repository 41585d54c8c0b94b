import { sql } from 'kysely';
import { isCounted } from '../../db/counted.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { DONOR_TOTALS, selectInOwnCurrency, TOTALS } from '../donations/own-currency.ts';

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
  const organization = forOrganization(db, organizationId);
  const columns = ['organization_id', 'campaign_id', 'currency', 'raised_cents'] as const;
  const days = organization
    .selectFrom('donation_total')
    .where('campaign_id', 'in', campaignIds)
    .where('period', '=', 'day')
    .where(isCounted('donation_total', organizationId))
    .select(columns);
  const changes = organization
    .selectFrom('donation_total_change')
    .where('campaign_id', 'in', campaignIds)
    .where(isCounted('donation_total_change', organizationId))
    .select(columns);
  const rows = await db
    .selectFrom(changes.unionAll(days).as('part'))
    .innerJoin('organization', (join) =>
      join
        .onRef('organization.id', '=', 'part.organization_id')
        .onRef('organization.currency', '=', 'part.currency'),
    )
    .groupBy('part.campaign_id')
    .select(['part.campaign_id', sql<number>`sum(part.raised_cents)::float8`.as('raised_cents')])
    .$narrowType<{ campaign_id: string }>()
    .execute();
  return new Map(rows.map(({ campaign_id, raised_cents }) => [campaign_id, raised_cents]));
}

/** Loads the raised amount, the donations and the donors of a campaign, in the organization's currency. */
export function loadCampaignTotals(db: Db, organizationId: string, campaignId: string) {
  const byDonor = selectInOwnCurrency(db, organizationId)
    .where('donation.campaign_id', '=', campaignId)
    .groupBy('donation.contact_id')
    .select(DONOR_TOTALS);
  return db.selectFrom(byDonor.as('by_donor')).select(TOTALS).executeTakeFirstOrThrow();
}
