import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below the ephemeral ports, which the operating system assigns by itself: a free one could be
 * taken before it is used.
 */
const PORT_RANGE = { from: 12_000, to: 32_000 };

/** Ports that were returned before; their user may have stopped and may start again. */
const returned = new Set<number>();

/** Returns free ports. All are held until all are found, and none is returned twice. */
export async function freePorts(count: number): Promise<number[]> {
  const reserved = new Map<number, Server>();
  while (reserved.size < count) {
    const port = PORT_RANGE.from + Math.floor(Math.random() * (PORT_RANGE.to - PORT_RANGE.from));
    if (returned.has(port)) continue;
    const server = await holdPort(port);
    if (!server) continue;
    returned.add(port);
    reserved.set(port, server);
  }
  await Promise.all([...reserved.values()].map((server) => once(server.close(), 'close')));
  return [...reserved.keys()];
}

/**
 * @returns undefined if the port is in use
 */
async function holdPort(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  return await once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}
