import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';
import { donationStatus } from '@connect-embed/api/resources/donations/donation-status';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { dateElement } from '../pages/dashboard-layout.ts';
import { DONATION_STATUSES } from './donation-status.ts';
import { badge, badgeWithMode, type Column } from '../pages/table.ts';

/** Selects the donations of an organization with the name of their fund. */
export const selectDonationRows = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('donation')
    .leftJoin('fund', 'fund.id', 'donation.fund_id')
    .selectAll('donation')
    .select('fund.name as fund_name');

export type DonationRow = Awaited<
  ReturnType<ReturnType<typeof selectDonationRows>['execute']>
>[number];

/**
 * Returns the columns of a table of donations.
 *
 * @param path URL path of the donation list, to which the donation id is appended
 */
export const donationColumns = (path: string, timeZone: string): Column<DonationRow>[] => [
  {
    head: 'Donor',
    as: 'rowHeader',
    cell: ({ id, donor_name }) => html`<a href="${path}/${id}">${donor_name ?? 'Anonymous'}</a>`,
  },
  ...amountColumns(timeZone),
  { head: 'Status', cell: unusualStatus },
  ...REFERENCE_COLUMNS,
];

/** Date and amount, also of payments that are not a donation yet. */
export const amountColumns = (
  timeZone: string,
): Column<Pick<DonationRow, 'created_at' | 'amount_cents' | 'currency'>>[] => [
  { head: 'Date', cell: ({ created_at }) => dateElement(created_at, timeZone) },
  {
    head: 'Amount',
    as: 'number',
    cell: ({ amount_cents, currency }) => formatMoney(amount_cents, currency, LOCALE),
  },
];

/** Fund and reference, also of payments that are not a donation yet. */
export const REFERENCE_COLUMNS: Column<{ fund_name: string | null; reference: string | null }>[] = [
  { head: 'Fund', as: 'clipped', cell: ({ fund_name }) => fund_name },
  {
    head: 'Reference',
    cell: ({ reference }) => reference && html`<span class="reference">${reference}</span>`,
  },
];

type StatusOf = Pick<DonationRow, 'refund_status' | 'dispute_status' | 'livemode'>;

/** Renders the status of a donation in a list. One that is paid, as nearly all are, has none. */
export const unusualStatus = (donation: StatusOf) =>
  donationStatus(donation) === 'paid' ? badgeWithMode(html``, donation) : statusBadge(donation);

/** Renders a colored badge with the status of a donation, and one for a test. */
export function statusBadge(donation: StatusOf) {
  const { text, tone } = DONATION_STATUSES[donationStatus(donation)];
  return badgeWithMode(badge(text, tone), donation);
}
