import {
  csvLine,
  currencyDecimals,
  decimalText,
  DONATION_EXPORT_COLUMNS,
  DONATION_EXPORT_HEADINGS,
  exportHeading,
  formatDate,
  type CsvCell,
  type DonationExportColumn,
} from '@connect-embed/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { LOCALE } from '../../layout.ts';
import type { Membership } from '../../../users/membership.ts';
import { pagesByKey } from '../lists/csv-response.ts';
import { selectDonations, type DonationFilters, type ListedDonation } from './donation-query.ts';
import { DONATION_STATUSES, donationStatus } from './donation-status.ts';
import { paymentMethodLabel } from './payment-method.ts';

/** Returns the CSV lines of all donations that match the filters, newest first. */
export async function* donationCsvLines(
  db: Db,
  { organizationId, timeZone }: Membership,
  query: DonationFilters,
): AsyncGenerator<string> {
  const headings = { ...DONATION_EXPORT_HEADINGS, created_at: exportHeading('Created', timeZone) };
  yield csvLine(DONATION_EXPORT_COLUMNS.map((column) => headings[column]));
  const pages = pagesByKey<ListedDonation>((after, limit) => {
    let rows = selectDonations(db, organizationId, query);
    if (after) {
      const position = sql`(${after.created_at}, ${after.id})`;
      rows = rows.where(sql<boolean>`(donation.created_at, donation.id) < ${position}`);
    }
    return rows
      .orderBy('donation.created_at', 'desc')
      .orderBy('donation.id', 'desc')
      .limit(limit)
      .execute();
  });
  for await (const rows of pages) {
    yield rows.map((row) => csvLine(donationCells(row, timeZone))).join('');
  }
}

function donationCells(row: ListedDonation, timeZone: string): CsvCell[] {
  const money = (cents: number | null) => amountCell(cents, row.currency);
  const cells: Record<DonationExportColumn, CsvCell> = {
    id: row.id,
    reference: row.reference,
    created_at: formatDate(row.created_at, 'file', { timeZone, locale: LOCALE }),
    donor_name: row.donor_name,
    donor_email: row.donor_email,
    currency: row.currency.toUpperCase(),
    amount: money(row.amount_cents),
    fee: money(row.fee_cents),
    net: money(row.net_amount_cents),
    refunded_amount: money(row.refunded_amount_cents),
    status: DONATION_STATUSES[donationStatus(row)].text,
    recurring: row.recurring ? 'yes' : 'no',
    method: paymentMethodLabel(row),
    fund: row.fund_name,
    campaign: row.campaign_name,
    payout: row.payout_id,
  };
  return DONATION_EXPORT_COLUMNS.map((column) => cells[column]);
}

/**
 * Formats an amount in major units, which spreadsheets can sum. An unknown amount gives an empty
 * cell.
 */
export const amountCell = (cents: number | null, currency: string): CsvCell =>
  cents === null ? null : { number: decimalText(cents, currencyDecimals(currency)) };
