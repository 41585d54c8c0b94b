import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Range of ports to try. Operating systems assign ports above this range to outgoing connections and
 * listeners, so a free port there may be taken before the test uses it.
 */
const PORT_RANGE = { from: 12_000, to: 32_000 };

/** Finds a free port, for a process that has to know its port before it starts. */
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
