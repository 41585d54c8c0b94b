/**
 * Columns of the donation export (CSV for spreadsheets and bookkeeping), in order, with English
 * headings. The dashboard and the table element export the same columns.
 *
 * Amounts are in major units with a point and without a currency sign (`decimalText`), because a
 * spreadsheet adds them up; the currency has a column of its own. An unknown amount, such as a fee
 * that Stripe has not reported yet, is an empty cell.
 */
export const DONATION_EXPORT_HEADINGS = {
  id: 'Donation ID',
  /** The donation's reference, as on its receipt; empty if it has none. */
  reference: 'Reference',
  /** Creation time of the donation; its heading names the time zone: `exportHeading`. */
  created_at: 'Created',
  donor_name: 'Donor',
  donor_email: 'Email',
  currency: 'Currency',
  amount: 'Amount',
  fee: 'Fee',
  net: 'Net',
  refunded_amount: 'Refunded',
  disputed_amount: 'Disputed',
  /** The part of the fee that disputes cost. */
  dispute_fee: 'Dispute fee (part of Fee)',
  status: 'Status',
  /** `yes` or `no`. */
  recurring: 'Recurring',
  method: 'Payment method',
  fund: 'Fund',
  campaign: 'Campaign',
  payout: 'Payout ID',
} as const;

export type DonationExportColumn = keyof typeof DONATION_EXPORT_HEADINGS;

/** Columns in the order of the file. */
export const DONATION_EXPORT_COLUMNS = Object.keys(
  DONATION_EXPORT_HEADINGS,
) as readonly DonationExportColumn[];

/** Columns with amounts, which are written as numbers even if they are negative. */
export const DONATION_EXPORT_AMOUNTS: ReadonlySet<DonationExportColumn> =
  new Set<DonationExportColumn>([
    'amount',
    'fee',
    'net',
    'refunded_amount',
    'disputed_amount',
    'dispute_fee',
  ]);

/** Heading of a column with times, which includes their time zone. */
export const exportHeading = (heading: string, timeZone: string) => `${heading} (${timeZone})`;

/** Byte order mark: without it, Excel decodes the UTF-8 file with another encoding. */
export const CSV_BOM = '\ufeff';

/** A cell of a CSV file: untrusted text, or a number that we formatted. */
export type CsvCell = string | null | { number: string };

/** Formats one line of a CSV file, including its line break (RFC 4180). */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(formatCell).join()}\r\n`;

function formatCell(content: CsvCell): string {
  if (content === null) return '';
  return typeof content === 'string' ? quoteCell(escapeFormula(content)) : content.number;
}

/**
 * Prevents CSV injection (OWASP): a spreadsheet runs text that begins with one of these characters
 * as a formula. An apostrophe before it makes it text. Leading spaces or invisible characters do
 * not prevent the formula.
 */
const escapeFormula = (text: string) =>
  /^[\s\u200b-\u200f\ufeff]*[=+\-@＝＋－＠|%\t\r\n]/.test(text) ? `'${text}` : text;

const quoteCell = (text: string) =>
  /[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/**
 * Returns a file name of letters, digits and hyphens, such as
 * `donations-harbor-street-food-bank-2026-03-01-to-2026-03-31.csv`.
 *
 * @param parts content of the file, organization, and period
 */
export const csvFileName = (...parts: string[]): string =>
  `${parts
    .map((part) =>
      part
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 80),
    )
    .filter(Boolean)
    .join('-')}.csv`;
