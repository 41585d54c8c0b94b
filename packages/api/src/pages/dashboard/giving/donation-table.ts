import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Db } from '../../../db/database.ts';
import { LOCALE } from '../../layout.ts';
import { day } from '../frame.ts';
import { badge, table, type Column } from '../table.ts';

/** Donations of an organization with the name of their fund. */
export const selectDonationRows = (db: Db, organizationId: string) =>
  db
    .selectFrom('donation')
    .leftJoin('fund', 'fund.id', 'donation.fund_id')
    .where('donation.organization_id', '=', organizationId)
    .selectAll('donation')
    .select('fund.name as fund_name');

export type DonationRow = Awaited<
  ReturnType<ReturnType<typeof selectDonationRows>['execute']>
>[number];

/** @param path of the list of donations; each is below it */
export const donationTable = (path: string, label: string, rows: readonly DonationRow[]) => {
  const columns: Column<DonationRow>[] = [
    {
      head: 'Donor',
      as: 'row',
      cell: ({ id, donor_name }) => html`<a href="${path}/${id}">${donor_name ?? 'No name'}</a>`,
    },
    { head: 'Date', cell: ({ paid_at }) => day(paid_at) },
    { head: 'Fund', cell: ({ fund_name }) => fund_name },
    { head: 'State', cell: donationState },
    {
      head: 'Amount',
      as: 'number',
      cell: ({ amount_cents, currency }) => formatMoney(amount_cents, currency, LOCALE),
    },
  ];
  return table(label, columns, rows);
};

const DISPUTE = {
  open: ['Disputed', 'wait'],
  won: ['Dispute won', 'good'],
  lost: ['Dispute lost', 'bad'],
} as const;

/** What became of the money, the gravest first. */
export function donationState({ refund_status, dispute_status }: DonationRow) {
  const dispute = DISPUTE[dispute_status as keyof typeof DISPUTE];
  if (dispute) return badge(dispute[0], dispute[1]);
  if (refund_status === 'full') return badge('Refunded', 'still');
  if (refund_status === 'partial') return badge('Partly refunded', 'still');
  return badge('Received', 'good');
}
