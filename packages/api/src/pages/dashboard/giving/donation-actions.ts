import type { Html } from '../../layout.ts';
import type { PageContext } from '../dashboard-layout.ts';
import { refundLink } from '../refund-view.ts';
import type { DonationRow } from './donation-table.ts';

/** What this member may do with a donation: buttons below what is known of it. */
export const donationActions = (place: PageContext, donation: DonationRow): Html =>
  refundLink(place, donation);
