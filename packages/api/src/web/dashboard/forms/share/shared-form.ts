import { notFound } from '@connect-embed/contract';
import { findVersion, type FormRow } from '../../../../resources/forms/edit-form.ts';
import type { Deps } from '../../../deps.ts';
import type { DashboardContext } from '../../env.ts';
import { formRef, loadForm } from '../form-in-path.ts';
import { readDonationLink, type DonationLink, type SharedForm } from './donation-link.ts';

/** A published form with the link that the query of the page describes. */
export interface Sharing {
  row: FormRow;
  form: SharedForm;
  /** Title of its page; null for the usual one. */
  title: string | null;
  server: string;
  link: DonationLink;
}

/**
 * Loads the published form that the path of the page names.
 *
 * @returns undefined if this service does not know the address of the server
 * @throws {ConnectError} `not_found`, also for a draft
 */
export async function loadSharing(c: DashboardContext, deps: Deps): Promise<Sharing | undefined> {
  const row = await loadForm(c, deps);
  const { serverBaseUrl: server } = deps;
  if (row.live_version === null) throw notFound('published form', row.id);
  if (!server) return undefined;
  const { settings } = await findVersion(deps.db, formRef(c), row.live_version);
  const { currency } = c.var.organization;
  const form = { slug: row.slug, terms: settings.terms, currency };
  const title = settings.page?.title ?? null;
  return { row, form, title, server, link: readDonationLink(c, form, server) };
}
