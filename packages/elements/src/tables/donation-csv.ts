import type { Donation } from '@connect-embed/contract';
import { currencyDecimals } from '@connect-embed/contract/currency';
import {
  DONATION_EXPORT_COLUMNS,
  DONATION_EXPORT_HEADINGS,
  exportHeading,
  type CsvCell,
  type DonationExportColumn,
} from '@connect-embed/contract/donation-export';
import { formatDate } from '@connect-embed/contract/format-date';
import { decimalText } from '@connect-embed/contract/format-money';
import { tables as english } from '@connect-embed/locales/en.json';
import { donationStatus } from './status.ts';

/**
 * The header row of the CSV file. The dashboard's export has the same columns
 * (`DONATION_EXPORT_HEADINGS`).
 */
export function donationHeadings(timeZone: string): string[] {
  const headings = { ...DONATION_EXPORT_HEADINGS, created_at: exportHeading('Created', timeZone) };
  return DONATION_EXPORT_COLUMNS.map((column) => headings[column]);
}

/** The row of a donation in the CSV file. */
export function donationCells(donation: Donation, timeZone: string): CsvCell[] {
  const money = (cents: number | null) => moneyCell(cents, donation.currency);
  const cells: Record<DonationExportColumn, CsvCell> = {
    id: donation.id,
    reference: donation.reference,
    created_at: formatDate(donation.created_at, 'file', { timeZone, locale: 'en-US' }),
    donor_name: donation.donor_name,
    donor_email: donation.donor_email,
    currency: donation.currency.toUpperCase(),
    amount: money(donation.amount_cents),
    fee: money(donation.fee_cents),
    net: money(donation.net_amount_cents),
    refunded_amount: money(donation.refunded_amount_cents),
    disputed_amount: money(donation.disputed_amount_cents),
    dispute_fee: money(donation.dispute_fee_cents),
    status: english[donationStatus(donation)],
    recurring: donation.recurring ? 'yes' : 'no',
    method: paymentMethodText(donation),
    fund: donation.fund_name,
    campaign: donation.campaign_name ?? donation.campaign_id,
    payout: donation.payout_id,
  };
  return DONATION_EXPORT_COLUMNS.map((column) => cells[column]);
}

/** An amount in major units, as a number that a spreadsheet can sum. Empty if the amount is unknown. */
export const moneyCell = (cents: number | null, currency: string): CsvCell =>
  cents === null ? null : { number: decimalText(cents, currencyDecimals(currency)) };

/** Formats Stripe's names of the payment method and card brand, for example `Card (Visa)`. */
function paymentMethodText({ payment_method: method, card_brand: brand }: Donation): string | null {
  if (!method) return null;
  return brand ? `${capitalize(method)} (${capitalize(brand)})` : capitalize(method);
}

const capitalize = (name: string) =>
  (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ');
