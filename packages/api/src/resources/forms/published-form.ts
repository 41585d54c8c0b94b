import { ConnectError, type DonationTerms } from '@connect-embed/contract';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { findFundChoices } from '../../payments/donation-target.ts';

/** The version of a form that pages show. */
export interface PublishedForm {
  id: string;
  version: number;
  terms: DonationTerms;
}

/**
 * Finds the published version of a form, for a new session of a donor's page. Funds to choose from get
 * their present names.
 *
 * @throws {ConnectError} `not_found` with code `form_not_found` if the organization has published no
 *   form with this slug, or with code `form_closed`; `invalid_request` if a fund to choose
 *   from is archived
 */
export async function findPublishedForm(
  db: Db,
  organizationId: string,
  slug: string,
): Promise<PublishedForm> {
  const row = await forOrganization(db, organizationId)
    .selectFrom('form')
    .innerJoin('form_version', (join) =>
      join
        .onRef('form_version.form_id', '=', 'form.id')
        .onRef('form_version.version', '=', 'form.live_version'),
    )
    .where('form.slug', '=', slug)
    .select(['form.id', 'form.closed_at', 'form_version.version', 'form_version.settings'])
    .executeTakeFirst();
  if (!row) {
    const message = `form must be the slug of a published form, which ${slug} is not.`;
    throw new ConnectError('not_found', message, { code: 'form_not_found', param: 'form' });
  }
  if (row.closed_at) throw formClosed(slug);
  const { terms } = row.settings;
  const fundIds = terms.fund_choices.map(({ id }) => id);
  const fund_choices = await findFundChoices(db, organizationId, fundIds);
  return { id: row.id, version: row.version, terms: { ...terms, fund_choices } };
}

const formClosed = (slug: string) =>
  new ConnectError('not_found', `The form "${slug}" is closed. Its owner can open it again.`, {
    code: 'form_closed',
  });
