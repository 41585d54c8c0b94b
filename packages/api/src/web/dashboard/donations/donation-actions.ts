import type { Html } from '../../../lib/html.ts';
import type { PageContext } from '../env.ts';
import { refundLink } from '../refund-view.ts';
import type { DonationRow } from './donation-table.ts';

/** Renders the actions that the member may take on a donation. */
export const donationActions = (pageContext: PageContext, donation: DonationRow): Html =>
  refundLink(pageContext, donation);
