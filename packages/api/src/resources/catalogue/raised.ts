import type { Db } from '../../db/schema.ts';
import {
  DONOR_TOTALS,
  RAISED_CENTS,
  selectInOwnCurrency,
  TOTALS,
} from '../donations/own-currency.ts';

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
  const rows = await selectInOwnCurrency(db, organizationId)
    .where('donation.campaign_id', 'in', campaignIds)
    .groupBy('donation.campaign_id')
    .select(['donation.campaign_id', RAISED_CENTS.as('raised_cents')])
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
