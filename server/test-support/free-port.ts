import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Systems hand out the ports above these by themselves, to whoever connects or listens anywhere: one
 * that was free a moment ago may be somebody's when it is wanted.
 */
const PORT_RANGE = { from: 12_000, to: 32_000 };

/** A port that nobody uses now, for a process that has to know its own beforehand. */
export async function freePort(): Promise<string> {
  for (;;) {
    const port = PORT_RANGE.from + Math.floor(Math.random() * (PORT_RANGE.to - PORT_RANGE.from));
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => once(server.close(), 'close'),
      () => undefined,
    );
    if (isFree) return String(port);
  }
}
