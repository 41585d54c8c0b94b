import { Hono } from 'hono';
import { html } from 'hono/html';
import { ConnectError } from '@connect-embed/contract';
import { findDonation, type StoredDonation } from '../../../payments/donors/add-donor.ts';
import { canEditDonors } from '../../../payments/donors/find-donor.ts';
import {
  canResendReceipt,
  receiptBlockedReason,
  resendReceipt,
} from '../../../payments/donors/resend-receipt.ts';
import type { Html } from '../../../lib/html.ts';
import type { Deps } from '../../deps.ts';
import { actingMember } from '../donors/donor-in-path.ts';
import type { DashboardContext, DashboardEnv, PageContext } from '../env.ts';
import { email, required } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';
import { organizationPath } from '../pages/render-page.ts';
import { requirePermission } from '../require-permission.ts';

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
    fields: (_, c) => ({
      email: required(
        email({
          label: 'Email',
          hint: canEditDonors(c.var.organization)
            ? 'If you change it, the donor’s email address is corrected as well, for all future emails.'
            : 'You do not have permission to change it.',
        }),
        'Enter an email address.',
      ),
    }),
    values: ({ donor_email }) => (donor_email === null ? {} : { email: donor_email }),
    submitLabel: 'Send receipt',
    save: async (input, donation, c) => {
      await resendReceipt(deps, actingMember(c), donation.id, input.email);
      return { path: pathOf(donation, c), success: 'The receipt will be sent in a moment.' };
    },
    content: (form, donation) =>
      html`<p class="muted">
          The receipt of donation <span class="reference">${donation.reference}</span> is sent again
          with the current name, amount and organization details.
        </p>
        ${form}`,
  });

async function findSendable(deps: Deps, c: DashboardContext): Promise<StoredDonation> {
  const { organizationId } = c.var.organization;
  const donation = await findDonation(deps.db, organizationId, c.req.param('id') ?? '');
  const reason = receiptBlockedReason(deps, donation);
  if (reason) throw new ConnectError('conflict', reason);
  return donation;
}
