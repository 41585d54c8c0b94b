import type { Deps } from './deps.ts';
import {
  findDonor,
  fullName,
  type ActingMember,
  type DonorRow,
} from '@connect-embed/api/payments/donors/find-donor';
import type { DashboardContext, Link } from './env.ts';
import { organizationPath } from './render-page.ts';

/** Returns the donor whose id is in the path. @throws {ConnectError} `not_found` */
export const loadDonor = (c: DashboardContext, { db }: Pick<Deps, 'db'>): Promise<DonorRow> =>
  findDonor(db, c.var.organization.organizationId, c.req.param('id') ?? '');

/** The signed-in member, as the functions that change donors need it. */
export const actingMember = (c: DashboardContext): ActingMember => ({
  ...c.var.organization,
  personId: c.var.pageContext.person.id,
});

/** Name under which lists and pages show a donor. */
export const donorName = (
  donor: Pick<DonorRow, 'first_name' | 'last_name' | 'email' | 'erased_at'>,
) => fullName(donor) ?? donor.email ?? (donor.erased_at ? 'Erased donor' : 'Anonymous');

export const donorLink = (
  donor: Parameters<typeof donorName>[0] & Pick<DonorRow, 'id'>,
  c: DashboardContext,
): Link => ({
  href: organizationPath(c, `/donors/${donor.id}`),
  text: donorName(donor),
});
