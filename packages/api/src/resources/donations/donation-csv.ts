import {
  DONATION_EXPORT_COLUMNS,
  DONATION_EXPORT_HEADINGS,
  exportHeading,
  formatDate,
  type CsvCell,
  type Donation,
  type DonationExportColumn,
} from '@connect-embed/contract';
import { amountCell, csvLines } from '../../http/csv-response.ts';
import { DONATION_STATUS_TEXTS, donationStatus } from './donation-status.ts';
import { paymentMethodLabel } from './payment-method.ts';

/** Returns the lines of a CSV file of donations. */
export function donationCsv(
  pages: AsyncIterable<readonly Donation[]>,
  timeZone: string,
): AsyncGenerator<string> {
  const headings = { ...DONATION_EXPORT_HEADINGS, created_at: exportHeading('Created', timeZone) };
  const columns = DONATION_EXPORT_COLUMNS.map((name) => ({
    heading: headings[name],
    cell: (donation: Donation) => CELLS[name](donation, timeZone),
  }));
  return csvLines(columns, pages);
}

const CELLS: Record<DonationExportColumn, (donation: Donation, timeZone: string) => CsvCell> = {
  id: ({ id }) => id,
  reference: ({ reference }) => reference,
  created_at: ({ created_at }, timeZone) =>
    formatDate(created_at, 'file', { timeZone, locale: 'en-US' }),
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
  status: (donation) => DONATION_STATUS_TEXTS[donationStatus(donation)],
  recurring: ({ recurring }) => (recurring ? 'yes' : 'no'),
  method: paymentMethodLabel,
  fund: ({ fund_name }) => fund_name,
  campaign: ({ campaign_name }) => campaign_name,
  payout: ({ payout_id }) => payout_id,
};
