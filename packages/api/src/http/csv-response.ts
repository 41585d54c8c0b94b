import { Readable } from 'node:stream';
import {
  CSV_BOM,
  csvLine,
  currencyDecimals,
  decimalText,
  type CsvCell,
} from '@connect-embed/contract';
import type { Context } from 'hono';

/**
 * Streams a CSV file while its rows are read, so that the whole file is never in memory. If the
 * database fails during the export, the connection is closed and browsers report an incomplete
 * download.
 */
export function csvResponse(c: Context, name: string, lines: AsyncIterable<string>): Response {
  c.header('Content-Type', 'text/csv; charset=utf-8');
  // Old browsers use the first file name, which must be ASCII (RFC 6266, appendix D).
  const asciiName = name.replace(/[^\x20-\x7e]/g, '_');
  c.header(
    'Content-Disposition',
    `attachment; filename="${asciiName}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  );
  const bytes = Readable.from(withByteOrderMark(lines), { objectMode: false });
  return c.body(Readable.toWeb(bytes) as ReadableStream<Uint8Array>);
}

async function* withByteOrderMark(lines: AsyncIterable<string>) {
  yield CSV_BOM;
  yield* lines;
}

/** A column of a CSV file with its heading and the function that returns its cell for a row. */
export interface CsvColumn<Row> {
  heading: string;
  cell: (row: Row) => CsvCell;
}

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
