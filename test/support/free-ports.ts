import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Range of the returned ports. It lies below the ephemeral ports, because the operating system
 * could assign a free ephemeral port to another program before a test uses it.
 */
const PORT_RANGE = { from: 12_000, to: 32_000 };

/**
 * Ports that were returned before. Their services may be stopped for a moment and start again on
 * the same ports.
 */
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
