import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import {
  correctDonor,
  type DonorCorrection,
} from '@connect-embed/api/payments/donors/correct-donor';
import {
  findDonorByEmail,
  findEditableDonor,
  type DonorRow,
} from '@connect-embed/api/payments/donors/find-donor';
import type { Html } from '@connect-embed/api/lib/html';
import type { DashboardContext } from '../pages/env.ts';
import { readFields } from '../pages/fields.ts';
import { email, text } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';
import { actingMember, donorLink } from '../pages/donor-in-path.ts';

/** Dashboard page that corrects the name and email address of a donor. */
export const correctionPage = (deps: Deps) =>
  formPage<DonorRow, DonorCorrection>({
    load: (c) =>
      findEditableDonor(deps.db, c.var.organization.organizationId, c.req.param('id') ?? ''),
    title: () => 'Correct donor',
    backLink: donorLink,
    action: (donor, c) => `${donorLink(donor, c).href}/correct`,
    fields: () => ({
      first_name: text({ label: 'First name', max: 100, half: true }),
      last_name: text({ label: 'Last name', max: 100, half: true }),
      email: email({
        label: 'Email',
        hint: 'Future receipts and other emails about donations go to this address.',
      }),
    }),
    values: (donor) => donor,
    submitLabel: 'Save correction',
    save: async (correction, donor, c) => {
      const isChanged = await correctDonor(deps, actingMember(c), donor.id, correction);
      const success = isChanged ? 'Donor corrected.' : 'Nothing was changed.';
      return { path: donorLink(donor, c).href, success };
    },
    content: async (form, donor, c) =>
      html`<p class="muted">
          The correction also applies to the donor’s donations, recurring donations and event
          registrations. The history keeps the earlier values. To send a receipt again, open the
          donation.
        </p>
        ${form} ${await otherDonorLink(c, deps, donor)}`,
  });

/** Links the donor who has the submitted address, so that the member can compare both. */
async function otherDonorLink(
  c: DashboardContext,
  { db }: Deps,
  donor: DonorRow,
): Promise<Html | ''> {
  if (c.req.method !== 'POST') return '';
  const address = (await readFields(c)).text('email', 254);
  const other = await findDonorByEmail(db, donor.organization_id, address);
  if (!other || other.id === donor.id) return '';
  return html`<p class="notice">
    <a href="${donorLink(other, c).href}">Open the donor with this email address</a>. If both are
    one person,
    <a href="${donorLink(donor, c).href}/merge/${other.id}">merge the other donor into this one</a>.
  </p>`;
}
