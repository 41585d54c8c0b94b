import { currencyDecimals, decimalText, formatDate } from '@connect-embed/contract';

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

/** A column of a CSV file with its heading and the function that returns its cell for a row. */
export interface CsvColumn<Row> {
  heading: string;
  cell: (row: Row) => CsvCell;
}

/** A column of times. Its heading includes their time zone. */
export const timeColumn = <Row>(
  heading: string,
  timeZone: string,
  timeOf: (row: Row) => Date | string | null,
): CsvColumn<Row> => ({
  heading: `${heading} (${timeZone})`,
  cell: (row) => {
    const time = timeOf(row);
    return time && formatDate(time, 'file', { timeZone, locale: 'en-US' });
  },
});

/** The last column of an export whose rows may be tests. */
export const LIVEMODE_COLUMN: CsvColumn<{ livemode: boolean }> = {
  heading: 'Livemode',
  cell: ({ livemode }) => (livemode ? 'yes' : 'no'),
};

/** Returns the lines of a CSV file: its headings, and then the rows of each page. */
export async function* csvLines<Row>(
  columns: readonly CsvColumn<Row>[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield csvLine(columns.map(({ heading }) => heading));
  for await (const rows of pages) {
    yield rows.map((row) => csvLine(columns.map(({ cell }) => cell(row)))).join('');
  }
}

/**
 * Formats an amount in major units, which spreadsheets can sum. An unknown amount gives an empty
 * cell.
 */
export const amountCell = (cents: number | null, currency: string): CsvCell =>
  cents === null ? null : { number: decimalText(cents, currencyDecimals(currency)) };
