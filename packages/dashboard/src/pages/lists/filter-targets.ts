import { isCounted } from '@connect-embed/api/db/counted';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';
import { listFileForms } from '@connect-embed/api/resources/forms/form-totals';
import { fileFormId, fileFormText } from './file-forms.ts';

/** Funds, campaigns and forms in the filter form of a list. */
export interface Targets {
  funds: { id: string; name: string }[];
  campaigns: { id: string; name: string }[];
  /** The forms of the dashboard, then those of the configuration file. */
  forms: { id: string; name: string }[];
  /** Whether the organization is live and has test donations, which the lists only show if they are filtered by it. */
  hasTests: boolean;
}

/** Maximum number of entries of a drop-down list, which contains the newest ones. */
const MAX_TARGETS = 200;

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
  const [funds, campaigns, forms, fileForms, hasTests] = await Promise.all([
    loadTargets('fund'),
    loadTargets('campaign'),
    loadTargets('form'),
    listFileForms(db, organizationId, MAX_TARGETS),
    hasHiddenTests(db, organizationId),
  ]);
  const named = fileForms.map((name) => ({ id: fileFormId(name), name: fileFormText(name) }));
  return { funds, campaigns, forms: [...forms, ...named], hasTests };
}

/** Whether an organization is live and has test donations. */
export async function hasHiddenTests(db: Db, organizationId: string): Promise<boolean> {
  const row = await forOrganization(db, organizationId)
    .selectFrom('donation')
    .select('id')
    .where('livemode', '=', false)
    .where(({ not }) => not(isCounted('donation', organizationId)))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
