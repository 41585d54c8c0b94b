import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ALL_SCOPES } from '@connect-embed/contract';
import { getRequestListener } from '@hono/node-server';
import {
  malformedRequestResponse,
  hardenServer,
  REQUEST_TIMEOUTS,
} from '@connect-embed/contract/http-server';
import pino, { type Logger } from 'pino';
import { collectDefaultMetrics } from 'prom-client';
import { readConfig, type Config } from '../config.ts';
import { poolerWarnings, type PoolerCapabilities } from '../db/connection.ts';
import {
  REPLICA_OPTIONS,
  openDatabase,
  type DatabaseOptions,
  type OpenDatabase,
} from '../db/database.ts';
import { requireSameSecret } from '../db/installation.ts';
import { migrate } from '../db/migrate.ts';
import { openPostgres } from '../db/postgres.ts';
import { reportProcess } from '../db/service-processes.ts';
import type { Db } from '../db/schema.ts';
import { CleanupStack } from '../lib/cleanup-stack.ts';
import { LOG_SERIALIZERS } from '../lib/log.ts';
import { VERSION } from '../lib/version.ts';
import { markLiveAccounts } from '../payments/accounts.ts';
import { logMissingKeys } from '../payments/own-keys/missing-keys.ts';
import { createSetupLink, isEmpty } from '../setup/setup-link.ts';
import { saveAddress } from './last-address.ts';
import { loadRole, type LoadPages, type Role } from './roles.ts';

/** How long running requests may take to finish after a stop signal. */
const GRACE_MS = 8_000;

interface ServiceOptions {
  role: Role;
  /** Loads the pages that the process serves beside the API. */
  loadPages: LoadPages;
  /** Adds demo data to a database without organizations. */
  seed?: boolean;
  /** The environment variables; those of the process by default. */
  variables?: NodeJS.ProcessEnv;
}

interface RunningService {
  port: number;
  /** Resolves if the embedded database has ended, without which the service cannot work. */
  databaseEnded: Promise<void>;
  /** Finishes requests in progress and stops everything. */
  stop: () => Promise<void>;
}

/** Opens and migrates the database, then serves requests, runs background jobs, or both. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { role, loadPages, seed = false, variables } = options;
  const config = readConfig(variables);
  const log = pino(
    {
      level: config.logLevel,
      base: { service: 'api', version: VERSION },
      serializers: LOG_SERIALIZERS,
    },
    pino.destination(2),
  );
  await using cleanups = new CleanupStack();

  // The modules are loaded while the database starts. Loading blocks the event loop, so it must end
  // before the first query.
  const loading = loadRole(role, loadPages);
  loading.catch(() => {}); // The error is handled where `loading` is awaited.
  const postgres = await openPostgres(config, (message) => log.info(message));
  cleanups.defer(postgres.stop);
  const { createProcess, startWork } = await loading;
  await prepareDatabase(config, postgres.url, seed);
  const database = openPool(postgres.url, log, cleanups);
  if (config.databaseReplicaUrl && role !== 'worker') {
    database.replica = openPool(config.databaseReplicaUrl, log, cleanups, REPLICA_OPTIONS).db;
  }
  const { deps, app, closeStreams } = createProcess(config, database, log);
  collectDefaultMetrics({ register: deps.metrics.register });
  startWork?.(config, deps, cleanups);
  cleanups.defer(await reportProcess(deps, role));
  const server = serve(app);
  const stopServing = hardenServer(server);
  const port = await listen(server, config.port, config.host);
  cleanups.defer(() => stopServing(GRACE_MS));
  // Deferred last, so that it runs first: open streams would delay the stop of the server.
  cleanups.defer(closeStreams);
  // Before the line "listening", with which the caller's wait for the output of the start ends.
  if (role !== 'worker') {
    saveAddress(config, port);
    await printSetupLink(deps);
  }
  process.stdout.write(`api listening on http://localhost:${port}\n`);
  await logMissingKeys(deps, log);

  const running = cleanups.move();
  const stop = async () => {
    log.info('stopping');
    await running[Symbol.asyncDispose]();
  };
  return { port, databaseEnded: postgres.ended, stop };
}

/** Prints a link with which the owner sets up a database without people and organizations. */
async function printSetupLink({ db, baseUrl }: { db: Db; baseUrl: string }): Promise<void> {
  if (!(await isEmpty(db))) return;
  const link = await createSetupLink(db, baseUrl);
  process.stdout.write(`Set up Connect within an hour: ${link}\n`);
}

/**
 * Migrates the database, checks API_SECRET and adds demo data if `seed` is set. Uses a separate pool
 * without the statement timeout, because migrations may take longer.
 */
async function prepareDatabase(config: Config, url: string, seed: boolean): Promise<void> {
  const { db, close } = openDatabase(url, { limitStatements: false });
  try {
    await migrate(db);
    await requireSameSecret(db, config.loadOrCreateSecret());
    if (config.processor.livemode) await markLiveAccounts(db);
    if (!seed) return;
    const [
      { DEMO_ORGANIZATION_ID, seedIfEmpty, seedPayments, seedWithLock },
      { addApiKey },
      { seedDemoPeople },
      { People },
    ] = await Promise.all([
      import('../db/seed.ts'),
      import('../auth/api-key.ts'),
      import('../users/demo-people.ts'),
      import('../users/people.ts'),
    ]);
    await seedWithLock(db, async () => {
      const isNew = await seedIfEmpty(db);
      if (isNew) await seedPayments(db);
      if (isNew && config.serverApiKey) {
        const key = { organizationId: DEMO_ORGANIZATION_ID, name: 'Server', scopes: ALL_SCOPES };
        await addApiKey(db, key, config.serverApiKey);
      }
      // The password of the demo users is public.
      if (config.processor.livemode) return;
      const { baseUrl } = config;
      await seedDemoPeople(db, new People(db, { secret: config.loadOrCreateSecret(), baseUrl }));
    });
  } finally {
    await close();
  }
}

function openPool(
  url: string,
  log: Logger,
  cleanups: CleanupStack,
  options: DatabaseOptions = {},
): OpenDatabase {
  // Only the message is logged, because `pg` attaches the whole connection to the error.
  const onIdleError = ({ message }: Error) =>
    log.warn({ error: message }, 'an idle database connection was lost');
  const onPoolerDetected = (pooler: PoolerCapabilities) => {
    for (const { problem, fix } of poolerWarnings(pooler)) log.warn({ fix }, problem);
  };
  const database = openDatabase(url, { onIdleError, onPoolerDetected, ...options });
  cleanups.defer(database.close);
  return database;
}

type Fetch = Parameters<typeof getRequestListener>[0];

function serve({ fetch }: { fetch: Fetch }): Server {
  const listener = getRequestListener(fetch, { errorHandler: malformedRequestResponse });
  return createServer(REQUEST_TIMEOUTS, (request, response) => void listener(request, response));
}

/**
 * Starts an HTTP server.
 *
 * @returns the port; if `port` is 0, the operating system chooses a free port
 * @throws {Error} that names the environment variable to change, if the port is in use
 */
async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is already in use. Set API_PORT to another port.`);
  });
  return (server.address() as AddressInfo).port;
}
