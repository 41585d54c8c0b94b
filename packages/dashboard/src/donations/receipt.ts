import { Hono } from 'hono';
import { html } from 'hono/html';
import { ConnectError } from '@connect-embed/contract';
import { findDonation, type StoredDonation } from '@connect-embed/api/payments/donors/add-donor';
import { canEditDonors, findDonorByEmail } from '@connect-embed/api/payments/donors/find-donor';
import {
  canResendReceipt,
  receiptBlockedReason,
  resendReceipt,
} from '@connect-embed/api/payments/donors/resend-receipt';
import type { Html } from '@connect-embed/api/lib/html';
import type { Deps } from '../pages/deps.ts';
import { actingMember, donorLink } from '../pages/donor-in-path.ts';
import type { DashboardContext, DashboardEnv, PageContext } from '../pages/env.ts';
import { readFields } from '../pages/fields.ts';
import { email, required } from '../pages/field-types.ts';
import { formPage, PAGE_FORM_ID } from '../pages/form-page.ts';
import { organizationPath } from '../pages/render-page.ts';
import { requirePermission } from '../pages/require-permission.ts';

/** Dashboard page at `…/donations/{id}/receipt`, where members send the receipt of a donation again. */
export const receipt = (deps: Deps) => {
  const page = receiptPage(deps);
  return new Hono<DashboardEnv>()
    .use('/:id/receipt', requirePermission('admin'))
    .get('/:id/receipt', page.show)
    .post('/:id/receipt', page.submit);
};

/** Renders the link to this page; empty if the member may not send the receipt or there is none. */
export function receiptLink(
  deps: Deps,
  { organization }: PageContext,
  donation: StoredDonation,
): Html {
  const mayResend = organization && canResendReceipt(organization);
  if (!mayResend || receiptBlockedReason(deps, donation)) return html``;
  const path = `/dashboard/${donation.organization_id}/donations/${donation.id}/receipt`;
  return html`<a class="button secondary" href="${path}">Send receipt again</a>`;
}

const pathOf = ({ id }: StoredDonation, c: DashboardContext) =>
  organizationPath(c, `/donations/${id}`);

const receiptPage = (deps: Deps) =>
  formPage<StoredDonation, { email: string }>({
    load: (c) => findSendable(deps, c),
    title: () => 'Send receipt again',
    backLink: (donation, c) => ({ href: pathOf(donation, c), text: 'Donation' }),
    action: (donation, c) => `${pathOf(donation, c)}/receipt`,
    fields: (donation, c) => ({
      email: required(
        email({ label: 'Email', hint: emailHint(donation, c) }),
        'Enter an email address.',
      ),
    }),
    values: ({ donor_email }) => (donor_email === null ? {} : { email: donor_email }),
    submitLabel: 'Send receipt',
    save: async (input, donation, c) => {
      const donorId = (await readFields(c)).value('donor');
      await resendReceipt(deps, actingMember(c), donation.id, { ...input, donorId });
      return { path: pathOf(donation, c), success: 'The receipt will be sent in a moment.' };
    },
    content: async (form, donation, c) =>
      html`<p class="muted">
          The receipt of donation <span class="reference">${donation.reference}</span> is sent again
          with the current name, amount and organization details.
        </p>
        ${form} ${await existingDonor(c, deps, donation)}`,
  });

function emailHint({ contact_id }: StoredDonation, c: DashboardContext): string {
  if (!canEditDonors(c.var.organization)) return 'You do not have permission to change it.';
  return contact_id
    ? 'If you change it, the donor’s email address is corrected as well, for all future emails.'
    : 'It is saved as the donor’s email address, for all future emails.';
}

/**
 * Asks whether a donation without a donor is from the donor who has the submitted address: it is then
 * added to that donor's donations.
 */
async function existingDonor(
  c: DashboardContext,
  deps: Deps,
  { contact_id, organization_id }: StoredDonation,
): Promise<Html | ''> {
  if (c.req.method !== 'POST' || contact_id) return '';
  const address = (await readFields(c)).text('email', 254);
  const donor = await findDonorByEmail(deps.db, organization_id, address);
  if (!donor) return '';
  const { href, text } = donorLink(donor, c);
  return html`<section class="panel">
    <p>
      This email address belongs to <a href="${href}">${text}</a>. If the donation is from this
      donor, it is added to their donations.
    </p>
    <p class="buttons">
      <button form="${PAGE_FORM_ID}" name="donor" value="${donor.id}">
        Add to ${text} and send
      </button>
    </p>
  </section>`;
}

async function findSendable(deps: Deps, c: DashboardContext): Promise<StoredDonation> {
  const { organizationId } = c.var.organization;
  const donation = await findDonation(deps.db, organizationId, c.req.param('id') ?? '');
  const reason = receiptBlockedReason(deps, donation);
  if (reason) throw new ConnectError('conflict', reason);
  return donation;
}
