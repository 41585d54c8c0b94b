import {
  DONATION_EXPORT_COLUMNS,
  DONATION_EXPORT_HEADINGS,
  exportHeading,
  formatDate,
  type CsvCell,
  type DonationExportColumn,
} from '@connect-embed/contract';
import type { Db } from '../../../db/schema.ts';
import { LOCALE } from '../../layout.ts';
import type { Membership } from '../../../users/membership.ts';
import { amountCell, csvLines } from '../../../http/csv-response.ts';
import { readAllPages } from '../lists/read-all-pages.ts';
import { selectDonations, type DonationFilters, type ListedDonation } from './donation-query.ts';
import {
  DONATION_STATUS_TEXTS,
  donationStatus,
} from '../../../resources/donations/donation-status.ts';
import { paymentMethodLabel } from '../../../resources/donations/payment-method.ts';

/** Returns the CSV lines of all donations that match the filters, newest first. */
export const donationCsvLines = (
  db: Db,
  { organizationId, timeZone }: Membership,
  query: DonationFilters,
): AsyncGenerator<string> => {
  const headings = { ...DONATION_EXPORT_HEADINGS, created_at: exportHeading('Created', timeZone) };
  const columns = DONATION_EXPORT_COLUMNS.map((name) => ({
    heading: headings[name],
    cell: (row: ListedDonation) => CELLS[name](row, timeZone),
  }));
  return csvLines(columns, readAllPages(selectDonations(db, organizationId, query), 'donation'));
};

const CELLS: Record<DonationExportColumn, (row: ListedDonation, timeZone: string) => CsvCell> = {
  id: ({ id }) => id,
  reference: ({ reference }) => reference,
  created_at: ({ created_at }, timeZone) =>
    formatDate(created_at, 'file', { timeZone, locale: LOCALE }),
  donor_name: ({ donor_name }) => donor_name,
  donor_email: ({ donor_email }) => donor_email,
  currency: ({ currency }) => currency.toUpperCase(),
  amount: ({ amount_cents, currency }) => amountCell(amount_cents, currency),
  fee: ({ fee_cents, currency }) => amountCell(fee_cents, currency),
  net: ({ net_amount_cents, currency }) => amountCell(net_amount_cents, currency),
  refunded_amount: ({ refunded_amount_cents, currency }) =>
    amountCell(refunded_amount_cents, currency),
  disputed_amount: ({ disputed_amount_cents, currency }) =>
    amountCell(disputed_amount_cents, currency),
  dispute_fee: ({ dispute_fee_cents, currency }) => amountCell(dispute_fee_cents, currency),
  status: (row) => DONATION_STATUS_TEXTS[donationStatus(row)],
  recurring: ({ recurring }) => (recurring ? 'yes' : 'no'),
  method: paymentMethodLabel,
  fund: ({ fund_name }) => fund_name,
  campaign: ({ campaign_name }) => campaign_name,
  payout: ({ payout_id }) => payout_id,
};
