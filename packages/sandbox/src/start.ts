import type { AddressInfo } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import { Agenda } from './agenda.ts';
import { createApp } from './app.ts';
import { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { Commits } from './commits.ts';
import { listConfigured } from './configured-endpoint.ts';
import { Books } from './books.ts';
import { PLATFORM_ACCOUNT } from './wire.ts';
import { openDatabase, transact } from './database.ts';
import { Deliveries } from './deliveries.ts';
import { Faults } from './faults.ts';
import { happenings } from './happenings.ts';
import type { Log } from './log.ts';
import { Once } from './once.ts';

export type Sandbox = { url: string; stop: () => Promise<void> };

/** How long a client may take to send a request; Node's defaults are 60 and 300 seconds. */
const REQUEST_TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
};
/** What is under way when it is told to stop may take this long. */
const GRACE_MS = 2000;

/**
 * Opens the store, listens and begins to deliver.
 *
 * @throws with `code: 'EADDRINUSE'` when the port is taken
 */
export async function startSandbox(config: Config, log: Log): Promise<Sandbox> {
  const db = openDatabase(config.dataDir);
  const clock = new Clock(db);
  const faults = new Faults(db);
  const address = { url: '' };
  const commits = new Commits(db, {
    committing: () => faults.keepCount(),
    committed: () => {
      agenda.poke();
      deliveries.poke();
    },
  });
  const { webhookUrl, webhookSecret } = config;
  const receiver = { url: webhookUrl, secret: webhookSecret };
  const deliveries = new Deliveries({ db, commits, log, receiver });
  const committed = deliveries.poke;
  const agenda = new Agenda({ db, clock, faults, address, happenings, committed, log });
  const once = new Once({ db, latencyMs: config.latencyMs, commits, faults });
  try {
    transact(db, () => {
      const store = { db, faults, now: clock.now, url: '' };
      const cause = { requestId: null, idempotencyKey: null };
      listConfigured(new Books(store, PLATFORM_ACCOUNT, cause), webhookUrl);
    });
    const { server, port } = await listen(
      createApp({ db, clock, faults, commits, once, agenda, log }, config).fetch,
      config,
    );
    address.url = `http://localhost:${port}`;
    deliveries.start();
    agenda.poke();
    return {
      url: address.url,
      stop: async () => {
        await close(server);
        agenda.stop();
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
    const options = { fetch, port, hostname: host, serverOptions: REQUEST_TIMEOUTS };
    const server = serve(options, (address: AddressInfo) =>
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
