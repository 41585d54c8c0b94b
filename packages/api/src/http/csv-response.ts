import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { CSV_BOM } from '../lib/csv.ts';

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
