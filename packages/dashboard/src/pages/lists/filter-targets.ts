import { isCounted } from '@connect-embed/api/db/counted';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';

/** Funds, campaigns and forms in the filter form of a list. */
export interface Targets {
  funds: { id: string; name: string }[];
  campaigns: { id: string; name: string }[];
  forms: { id: string; name: string }[];
  /** Whether the organization is live and has test donations, which the lists only show if they are filtered by it. */
  hasTests: boolean;
}

/** Maximum number of entries of a drop-down list, which contains the newest ones. */
export const MAX_TARGETS = 200;

/** Loads the funds, campaigns and forms that a list can be filtered by, each sorted by name. */
export async function readTargets(db: Db, organizationId: string): Promise<Targets> {
  const loadTargets = async (table: 'fund' | 'campaign' | 'form') => {
    const rows = await forOrganization(db, organizationId)
      .selectFrom(table)
      .select(['id', 'name'])
      .orderBy('created_at', 'desc')
      .limit(MAX_TARGETS)
      .execute();
    return rows.sort((a, b) => a.name.localeCompare(b.name));
  };
  const [funds, campaigns, forms, hasTests] = await Promise.all([
    loadTargets('fund'),
    loadTargets('campaign'),
    loadTargets('form'),
    hasHiddenTests(db, organizationId),
  ]);
  return { funds, campaigns, forms, hasTests };
}

async function hasHiddenTests(db: Db, organizationId: string): Promise<boolean> {
  const row = await forOrganization(db, organizationId)
    .selectFrom('donation')
    .select('id')
    .where('livemode', '=', false)
    .where(({ not }) => not(isCounted('donation', organizationId)))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
