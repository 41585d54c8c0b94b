import { Readable } from 'node:stream';
import { CSV_BOM, csvLine, type CsvCell } from '@connect-embed/contract';
import type { Context } from 'hono';
import { sql, type SelectQueryBuilder } from 'kysely';
import type { Database } from '../../../db/schema.ts';

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

/** Number of rows that an export reads at once. They are a few hundred kilobytes. */
export const EXPORT_PAGE_SIZE = 1000;

/**
 * Reads all rows of a query in pages, newest first.
 *
 * @param table the table whose `id` and `created_at` the query selects
 */
export async function* readAllPages<
  Tables extends keyof Database,
  Row extends { id: string; created_at: Date },
>(select: SelectQueryBuilder<Database, Tables, Row>, table: keyof Database): AsyncGenerator<Row[]> {
  const key = sql`(${sql.ref(`${table}.created_at`)}, ${sql.ref(`${table}.id`)})`;
  const ordered = select
    .orderBy(sql.ref(`${table}.created_at`), 'desc')
    .orderBy(sql.ref(`${table}.id`), 'desc')
    .limit(EXPORT_PAGE_SIZE);
  for (let last: Row | undefined; ;) {
    const rows: Row[] = await (
      last ? ordered.where(sql<boolean>`${key} < (${last.created_at}, ${last.id})`) : ordered
    ).execute();
    if (rows.length) yield rows;
    if (rows.length < EXPORT_PAGE_SIZE) return;
    last = rows.at(-1);
  }
}
