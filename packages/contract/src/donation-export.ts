/**
 * A file of donations for spreadsheets and bookkeeping, the same from the dashboard and from a table
 * on a page: its columns in their order, with their headings in English.
 *
 * Amounts are in major units with a point and without a currency sign (`decimalText`), because a
 * spreadsheet adds them up; the currency has a column of its own. An amount that is not known yet,
 * such as a fee that the processor has not told, is an empty cell.
 */
export const DONATION_EXPORT_HEADINGS = {
  id: 'Donation ID',
  /** Short name of the donation on receipts, where it has one. */
  reference: 'Reference',
  /** When the donation was made; its heading names the time zone: `exportHeading`. */
  created_at: 'Created',
  donor_name: 'Donor',
  donor_email: 'Email',
  currency: 'Currency',
  amount: 'Amount',
  fee: 'Fee',
  net: 'Net',
  refunded_amount: 'Refunded',
  status: 'Status',
  /** `yes` or `no`. */
  recurring: 'Recurring',
  method: 'Payment method',
  fund: 'Fund',
  campaign: 'Campaign',
  payout: 'Payout ID',
} as const;

/** A column of the file. */
export type DonationExportColumn = keyof typeof DONATION_EXPORT_HEADINGS;

/** The columns in the order of the file. */
export const DONATION_EXPORT_COLUMNS = Object.keys(
  DONATION_EXPORT_HEADINGS,
) as readonly DonationExportColumn[];

/** Columns whose cells are amounts. They are written as numbers, also when they are negative. */
export const DONATION_EXPORT_AMOUNTS: ReadonlySet<DonationExportColumn> =
  new Set<DonationExportColumn>(['amount', 'fee', 'net', 'refunded_amount']);

/** The heading of a column of times, which names the zone that they are in. */
export const exportHeading = (heading: string, timeZone: string) => `${heading} (${timeZone})`;

/** Marks the encoding; without it Excel reads names in the wrong one. */
export const CSV_BOM = '\ufeff';

/** A cell of a CSV file: text, which anybody may have written, or a number that we wrote. */
export type CsvCell = string | null | { number: string };

/** One line of a CSV file, with its line break (RFC 4180). */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(formatCell).join()}\r\n`;

function formatCell(content: CsvCell): string {
  if (content === null) return '';
  return typeof content === 'string' ? quoteCell(inert(content)) : content.number;
}

/**
 * A spreadsheet takes text that begins with one of these for a formula and runs it. An apostrophe before
 * it makes it text (OWASP: CSV injection). Spaces and invisible characters do not protect it.
 */
const inert = (text: string) =>
  /^[\s\u200b-\u200f\ufeff]*[=+\-@＝＋－＠|%\t\r\n]/.test(text) ? `'${text}` : text;

const quoteCell = (text: string) =>
  /[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/**
 * A file name of plain letters, digits and hyphens, such as
 * `donations-harbor-street-food-bank-2026-03-01-to-2026-03-31.csv`.
 *
 * @param parts what is in the file, whose it is, and its period
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
