import type { AddressInfo } from 'node:net';
import type { DatabaseSync } from 'node:sqlite';
import { type ServerType, serve } from '@hono/node-server';
import { Scheduler } from './scheduler.ts';
import { createApp } from './app.ts';
import { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Deps } from './env.ts';
import { GroupCommit } from './group-commit.ts';
import { syncConfiguredEndpoint } from './configured-endpoint.ts';
import { Ledger } from './ledger.ts';
import { PLATFORM_ACCOUNT } from './stripe-types.ts';
import { openDatabase, transact } from './database.ts';
import { WebhookDeliveries } from './webhook-deliveries.ts';
import { Faults } from './faults.ts';
import { scheduledJobs } from './scheduled-jobs.ts';
import type { Log } from './log.ts';
import { Idempotency } from './idempotency.ts';

export type Sandbox = { url: string; stop: () => Promise<void> };

/**
 * How long a client may take to send a request, in milliseconds; Node's defaults are 60 and 300 s.
 */
const REQUEST_TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
};
/** Time that running requests have to finish after the sandbox was told to stop. */
const GRACE_MS = 2000;

/**
 * Starts the sandbox, the local stand-in for Stripe: database, HTTP server and webhook deliveries.
 *
 * @throws with `code: 'EADDRINUSE'` if the port is in use
 */
export async function startSandbox(config: Config, log: Log): Promise<Sandbox> {
  const db = openDatabase(config.dataDir);
  const address = { url: '' };
  const { deliveries, ...deps } = createServices(db, config, address, log);
  try {
    saveConfiguredEndpoint(deps, config.webhookUrl);
    const { server, port } = await listen(createApp(deps, config).fetch, config);
    address.url = `http://localhost:${port}`;
    deliveries.start();
    deps.scheduler.runDueJobs();
    return {
      url: address.url,
      stop: async () => {
        await close(server);
        deps.scheduler.stop();
        await deliveries.stop();
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** @param address the sandbox's URL, which is set when the server listens */
function createServices(
  db: DatabaseSync,
  { webhookUrl, webhookSecret, latencyMs }: Config,
  address: { url: string },
  log: Log,
): Deps & { deliveries: WebhookDeliveries } {
  const clock = new Clock(db);
  const faults = new Faults(db);
  const groupCommit = new GroupCommit(db, {
    beforeCommit: () => faults.saveCounters(),
    afterCommit: () => {
      scheduler.runDueJobs();
      deliveries.sendDue();
    },
  });
  const receiver = { url: webhookUrl, secret: webhookSecret };
  const deliveries = new WebhookDeliveries({ db, groupCommit, log, receiver });
  const onCommitted = deliveries.sendDue;
  const scheduler = new Scheduler({ db, clock, faults, address, scheduledJobs, onCommitted, log });
  const idempotency = new Idempotency({ db, latencyMs, groupCommit, faults });
  return { db, clock, faults, groupCommit, idempotency, scheduler, log, deliveries };
}

function saveConfiguredEndpoint({ db, faults, clock }: Deps, webhookUrl: string) {
  transact(db, () => {
    const store = { db, faults, now: clock.now, url: '' };
    const cause = { requestId: null, idempotencyKey: null };
    syncConfiguredEndpoint(new Ledger(store, PLATFORM_ACCOUNT, cause), webhookUrl);
  });
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

/** Waits for running requests, and closes idle connections immediately. */
async function close(server: ServerType) {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  if ('closeIdleConnections' in server) server.closeIdleConnections();
  const timer = setTimeout(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
  }, GRACE_MS);
  await closed;
  clearTimeout(timer);
}
