import { Readable } from 'node:stream';
import { CSV_BOM } from '@connect-embed/contract';
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

/** Number of rows that an export reads at once. They are a few hundred kilobytes. */
export const EXPORT_PAGE_SIZE = 1000;

interface PageKey {
  id: string;
  created_at: Date;
}

/**
 * Reads all rows in pages, newest first.
 *
 * @param read returns the rows after the given row, or the first rows without one
 */
export async function* pagesByKey<Row extends PageKey>(
  read: (after: PageKey | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: Row | undefined; ;) {
    const rows = await read(after, EXPORT_PAGE_SIZE);
    if (rows.length) yield rows;
    if (rows.length < EXPORT_PAGE_SIZE) return;
    after = rows.at(-1);
  }
}
