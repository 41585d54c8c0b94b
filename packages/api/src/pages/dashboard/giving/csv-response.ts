import { Readable } from 'node:stream';
import { CSV_BOM } from '@connect-embed/contract';
import type { Context } from 'hono';

/**
 * Streams a CSV file while its rows are read, so that it is never in memory as a whole. If the database
 * fails meanwhile, the connection breaks, and browsers report an incomplete download.
 */
export function csvResponse(c: Context, name: string, lines: AsyncIterable<string>): Response {
  c.header('Content-Type', 'text/csv; charset=utf-8');
  // Old browsers use the first name, which is ASCII only (RFC 6266, appendix D).
  const plain = name.replace(/[^\x20-\x7e]/g, '_');
  c.header(
    'Content-Disposition',
    `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  );
  const bytes = Readable.from(withByteOrderMark(lines), { objectMode: false });
  return c.body(Readable.toWeb(bytes) as ReadableStream<Uint8Array>);
}

async function* withByteOrderMark(lines: AsyncIterable<string>) {
  yield CSV_BOM;
  yield* lines;
}

/** Rows of a table in pages of this many: a few hundred kilobytes each. */
export const EXPORT_PAGE_SIZE = 1000;

interface PageKey {
  id: string;
  created_at: Date;
}

/** Every row of a list, newest first, a page at a time. */
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
