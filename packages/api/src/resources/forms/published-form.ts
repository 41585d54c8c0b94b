import {
  ConnectError,
  FormSettings,
  invalidRequest,
  type DonationTerms,
} from '@connect-embed/contract';
import { sql } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';

export interface PublishedForm {
  id: string;
  version: number;
  settings: FormSettings;
}

/**
 * Finds a published version of a form, for a new session of a donor's page. Funds to choose from get
 * their present names; archived ones are left out.
 *
 * @param version by default the version that is live
 * @throws {ConnectError} `not_found` with code `form_not_found` if the organization has published no
 *   such version of a form with this slug, or with code `form_closed`; `invalid_request` if all funds
 *   to choose from are archived
 */
export async function findPublishedForm(
  db: Db,
  organizationId: string,
  slug: string,
  version?: number,
): Promise<PublishedForm> {
  const row = await forOrganization(db, organizationId)
    .selectFrom('form')
    .innerJoin('form_version', 'form_version.form_id', 'form.id')
    .where('form.slug', '=', slug)
    .where('form.live_version', 'is not', null)
    .where(
      'form_version.version',
      '=',
      version === undefined ? sql<number>`form.live_version` : version,
    )
    .select(['form.id', 'form.closed_at', 'form_version.version', 'form_version.settings'])
    .executeTakeFirst();
  if (!row) {
    const message = `form must be the slug of a published form, which ${slug} is not.`;
    throw new ConnectError('not_found', message, { code: 'form_not_found', param: 'form' });
  }
  if (row.closed_at) {
    const message = `form ${slug} is closed. Its owner can open it again.`;
    throw new ConnectError('not_found', message, { code: 'form_closed', param: 'form' });
  }
  const settings = FormSettings.parse(row.settings);
  const { terms } = settings;
  const fund_choices = await presentFunds(db, organizationId, terms.fund_choices);
  const { id, version: found } = row;
  return { id, version: found, settings: { ...settings, terms: { ...terms, fund_choices } } };
}

/** Finds the settings of the version of a form that a session shows. */
export async function findSettings(
  db: Db,
  organizationId: string,
  { form_id, form_version }: { form_id: string; form_version: number },
): Promise<FormSettings> {
  const { settings } = await forOrganization(db, organizationId)
    .selectFrom('form_version')
    .select('settings')
    .where('form_id', '=', form_id)
    .where('version', '=', form_version)
    .executeTakeFirstOrThrow();
  return FormSettings.parse(settings);
}

/** Returns the funds that accept donations, with their present names, in the same order. */
async function presentFunds(
  db: Db,
  organizationId: string,
  choices: DonationTerms['fund_choices'],
): Promise<DonationTerms['fund_choices']> {
  if (choices.length === 0) return [];
  const ids = choices.map(({ id }) => id);
  const funds = await forOrganization(db, organizationId)
    .selectFrom('fund')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .where('archived_at', 'is', null)
    .execute();
  const present = ids.flatMap((id) => funds.filter((fund) => fund.id === id));
  if (present.length > 0) return present;
  throw invalidRequest('form', 'offers only funds that are archived. Its owner can change it.');
}
