import { html } from 'hono/html';
import { canEditDonors } from '@connect-embed/api/payments/donors/find-donor';
import type { Html } from '@connect-embed/api/lib/html';
import type { Deps } from '../pages/deps.ts';
import type { PageContext } from '../pages/env.ts';
import { refundLink } from './refund-view.ts';
import type { DonationRow } from './donation-table.ts';
import { receiptLink } from './receipt.ts';

/** Renders what the member can do with a donation. */
export const donationActions = (
  deps: Deps,
  pageContext: PageContext,
  donation: DonationRow,
): Html =>
  html`${receiptLink(deps, pageContext, donation)} ${refundLink(pageContext, donation)}
  ${addDonorButton(pageContext, donation)}`;

/** Renders the button that makes the person a donor: without an address, only the name is stored. */
function addDonorButton({ organization }: PageContext, donation: DonationRow): Html {
  const { contact_id, donor_name, organization_id, id } = donation;
  if (contact_id || !donor_name || !organization || !canEditDonors(organization)) return html``;
  return html`<form method="post" action="/dashboard/${organization_id}/donations/${id}/donor">
    <button class="secondary">Add to donors</button>
  </form>`;
}
