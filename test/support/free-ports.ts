import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Systems hand out the ports above these by themselves, to whoever connects or listens anywhere: one
 * that was free a moment ago may be somebody's when it is wanted.
 */
const PORT_RANGE = { from: 12_000, to: 32_000 };

/** Whoever was told of one may have ended, and come back to it. */
const told = new Set<number>();

/** Ports that nobody uses now; all are held until all are known, and none is told of twice. */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = PORT_RANGE.from + Math.floor(Math.random() * (PORT_RANGE.to - PORT_RANGE.from));
    if (told.has(port)) continue;
    const server = await holdPort(port);
    if (!server) continue;
    told.add(port);
    held.set(port, server);
  }
  await Promise.all([...held.values()].map((server) => once(server.close(), 'close')));
  return [...held.keys()];
}

/** @returns nothing where somebody else has it */
async function holdPort(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  return await once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}
