import { sql } from 'kysely';
import type { Db } from '../src/db/database.ts';
import { eventually } from './start-api.ts';

/**
 * Waits until a new stream begins behind all that has been changed: a transaction elsewhere on the
 * server, as of another test, makes it begin earlier and tell of that again.
 */
export const waitForLogToSettle = (db: Db) =>
  eventually(async () => {
    const { rows } = await sql<{ open: boolean }>`
      select exists (
        select from resource_change where xid >= pg_snapshot_xmin(pg_current_snapshot())
      ) as open`.execute(db);
    return rows[0]!.open ? undefined : true;
  });

/** One event of a stream, with the id that stood when it was dispatched. */
export interface StreamEvent {
  event: string;
  id: string;
  data: Record<string, unknown>;
}

/** Reads `GET /live` as the standard has it (HTML, 9.2.6): what is cut off in the middle is no event. */
export async function openLive(
  url: string,
  token: string,
  { lastEventId, components }: { lastEventId?: string; components?: string } = {},
) {
  const abort = new AbortController();
  const query = components ? `?components=${components}` : '';
  const answer = await fetch(`${url}/api/v1/live${query}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId && { 'last-event-id': lastEventId }),
    },
    signal: abort.signal,
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  const received: StreamEvent[] = [];
  const stream = { answer, received, id: lastEventId ?? '', over: false };
  const read = async () => {
    let text = '';
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
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
    .catch(() => {}) // Cut.
    .finally(() => (stream.over = true));
  const close = async () => {
    abort.abort();
    await ended;
  };
  return Object.assign(stream, {
    close,
    ended,
    of: (kind: string) => received.filter(({ event }) => event === kind),
  });
}

export type LiveClient = Awaited<ReturnType<typeof openLive>>;
