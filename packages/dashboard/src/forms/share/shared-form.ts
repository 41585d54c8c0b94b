import { notFound } from '@connect-embed/contract';
import type { FormRow } from '@connect-embed/api/resources/forms/edit-form';
import { findVersion } from '@connect-embed/api/resources/forms/form-versions';
import type { Deps } from '../../pages/deps.ts';
import type { DashboardContext } from '../../pages/env.ts';
import { findOwnServer } from '@connect-embed/api/db/own-server';
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

/** A published form that has no link, because no server is known that shows it. */
interface UnlinkedForm {
  row: FormRow;
  form?: undefined;
  server?: undefined;
}

/**
 * Loads the published form that the path of the page names.
 *
 * @throws {ConnectError} `not_found`, also for a draft
 */
export async function loadSharing(
  c: DashboardContext,
  deps: Deps,
): Promise<Sharing | UnlinkedForm> {
  const row = await loadForm(c, deps);
  if (row.live_version === null) throw notFound('published form', row.id);
  const server = await findOwnServer(deps, c.var.organization.organizationId);
  if (!server) return { row };
  const { settings } = await findVersion(deps.db, formRef(c), row.live_version);
  const { currency } = c.var.organization;
  const form = { slug: row.slug, terms: settings.terms, currency };
  const title = settings.page?.title ?? null;
  return { row, form, title, server, link: readDonationLink(c, form, server) };
}
