import type { AddressInfo } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { openDatabase } from './database.ts';
import { Deliveries } from './deliveries.ts';
import { Once } from './once.ts';

export type Sandbox = { url: string; stop: () => Promise<void> };

/** What is under way when it is told to stop may take this long. */
const GRACE_MS = 2000;

/**
 * Opens the store, listens and begins to deliver.
 *
 * @throws with `code: 'EADDRINUSE'` when the port is taken
 */
export async function startSandbox(config: Config, log: (line: string) => void): Promise<Sandbox> {
  const db = openDatabase(config.dataDir);
  const deliveries = new Deliveries({
    db,
    url: config.webhookUrl,
    secret: config.webhookSecret,
    log,
  });
  const once = new Once({ db, latencyMs: config.latencyMs, committed: deliveries.poke });
  try {
    const { server, port } = await listen(createApp({ db, once, log }).fetch, config);
    deliveries.start();
    return {
      url: `http://localhost:${port}`,
      stop: async () => {
        await close(server);
        await deliveries.stop();
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function listen(
  fetch: ReturnType<typeof createApp>['fetch'],
  { port, host }: Config,
): Promise<{ server: ServerType; port: number }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, port, hostname: host }, (address: AddressInfo) =>
      resolve({ server, port: address.port }),
    );
    server.once('error', reject);
  });
}

/** Finishes what is being answered; idle connections are closed at once. */
async function close(server: ServerType) {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  if ('closeIdleConnections' in server) server.closeIdleConnections();
  const timer = setTimeout(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
  }, GRACE_MS);
  await closed;
  clearTimeout(timer);
}
