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
  const organization = forOrganization(db, organizationId);
  const [funds, campaigns] = await Promise.all([
    organization
      .selectFrom('fund')
      .select(['id as value', 'name as text'])
      .where('archived_at', 'is', null)
      .orderBy('name')
      .limit(MAX_CHOICES)
      .execute(),
    organization
      .selectFrom('campaign')
      .select(['id as value', 'name as text', 'goal_cents'])
      .where('archived_at', 'is', null)
      .orderBy('name')
      .limit(MAX_CHOICES)
      .execute(),
  ]);
  return {
    funds,
    campaigns: campaigns.map(({ goal_cents, ...choice }) => ({
      ...choice,
      hasGoal: goal_cents !== null,
    })),
  };
}
