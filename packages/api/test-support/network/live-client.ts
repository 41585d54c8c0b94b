import { sql } from 'kysely';
import type { Db } from '../../src/db/schema.ts';
import { eventually } from '../app/start-api.ts';

/**
 * Waits until all changes are older than every open transaction. A new live stream starts before
 * the oldest open transaction on the server, for example of another test, and would otherwise
 * report earlier changes again.
 */
export const waitForOldTransactions = (db: Db) =>
  eventually(async () => {
    const { rows } = await sql<{ open: boolean }>`
      select exists (
        select from resource_change where xid >= pg_snapshot_xmin(pg_current_snapshot())
      ) as open`.execute(db);
    return rows[0]!.open ? undefined : true;
  });

/** An event of a live stream, with the stream's last event id when the event arrived. */
interface StreamEvent {
  event: string;
  id: string;
  data: Record<string, unknown>;
}

/**
 * A client of `GET /live` that follows the server-sent events standard (HTML, 9.2.6): an incomplete
 * event is dropped.
 */
export async function openLive(
  url: string,
  token: string,
  { lastEventId, components }: { lastEventId?: string; components?: string } = {},
) {
  const abort = new AbortController();
  const query = components ? `?components=${components}` : '';
  const response = await fetch(`${url}/api/v1/live${query}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId && { 'last-event-id': lastEventId }),
    },
    signal: abort.signal,
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const received: StreamEvent[] = [];
  const stream = { response, received, id: lastEventId ?? '', isClosed: false };
  const read = async () => {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) readBlock(block);
    }
  };
  const readBlock = (block: string) => {
    const fields = Object.fromEntries(
      block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
    );
    if (fields['id'] !== undefined) stream.id = fields['id'];
    const { event, data } = fields;
    if (event && data)
      received.push({ event, id: stream.id, data: JSON.parse(data) as StreamEvent['data'] });
  };
  const ended = read()
    .catch(() => {}) // The connection was closed.
    .finally(() => (stream.isClosed = true));
  const close = async () => {
    abort.abort();
    await ended;
  };
  return Object.assign(stream, {
    close,
    ended,
    eventsOf: (kind: string) => received.filter(({ event }) => event === kind),
  });
}

export type LiveClient = Awaited<ReturnType<typeof openLive>>;
