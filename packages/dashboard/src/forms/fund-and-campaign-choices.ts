import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';
import type { FundAndCampaignChoices } from './form-fields.ts';

/** Number of funds and of campaigns that the editor offers. */
const MAX_CHOICES = 200;

/** Loads the funds and campaigns that accept donations. */
export async function loadFundAndCampaignChoices(
  db: Db,
  organizationId: string,
): Promise<FundAndCampaignChoices> {
  const load = async (table: 'fund' | 'campaign') => {
    const rows = await forOrganization(db, organizationId)
      .selectFrom(table)
      .select(['id', 'name'])
      .where('archived_at', 'is', null)
      .orderBy('name')
      .limit(MAX_CHOICES)
      .execute();
    return rows.map(({ id, name }) => ({ value: id, text: name }));
  };
  const [funds, campaigns] = await Promise.all([load('fund'), load('campaign')]);
  return { funds, campaigns };
}
