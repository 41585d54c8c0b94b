import { createServer, type Server } from 'node:http';
import { parseArgs } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import pino, { type Logger } from 'pino';
import { createApp, createWorkerApp } from './app.ts';
import type { Deps } from './env.ts';
import { Environment, readConfig, type Config } from './config.ts';
import { migrate, openDatabase } from './db/database.ts';
import { removeExpired } from './db/expired.ts';
import { openPostgres } from './db/postgres.ts';
import { seedIfEmpty, seedInTurn } from './db/seed.ts';
import { createDeps, peopleOf } from './deps.ts';
import { explain } from './explain.ts';
import { finish, listen } from './listen.ts';
import { answerMalformed, refuseConnection } from './malformed.ts';
import { startPostman } from './mail/open.ts';
import { startReconciler } from './money/reconcile/job.ts';
import { startDeliverer } from './webhooks/open.ts';
import { seedDemoPeople } from './users/demo-people.ts';

const CLEAN_EVERY_MS = 10 * 60_000;

if (process.argv.includes('--help') || process.argv.includes('-h')) console.log(help());
else {
  await start().catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  });
}

function help(): string {
  const variables = Object.entries(Environment.shape).map(
    ([name, schema]) => `  ${name.padEnd(24)} ${schema.description ?? ''}`,
  );
  return `node packages/api/src/main.ts [--seed] [--role api|worker|all]

  --seed    fills a database that has no organization with a demonstration
  --role    api answers, worker delivers, reconciles and cleans; all, the default, does both

Reads from the environment:
${variables.join('\n')}`;
}

/** Opens the database, brings it up to date, and listens until told to stop. */
async function start(): Promise<void> {
  // From the first moment on: a process that dies while it starts leaves its database running.
  const stopped = stopSignal();
  const { seed, role } = readArguments();
  const config = readConfig();
  const log = pino({ level: config.logLevel, base: { room: 'api' } }, pino.destination(2));
  await using held = new AsyncDisposableStack();

  const postgres = await openPostgres(config, (sentence) => log.info(sentence));
  held.defer(postgres.stop);
  await prepare(config, postgres.url, seed);
  const deps = openDeps(config, postgres.url, log, held);
  if (role !== 'api') startWork(config, deps, held);
  const server = serve(role === 'worker' ? createWorkerApp(deps) : createApp(deps));
  const port = await listen(server, config.port, config.host);
  held.defer(() => finish(server));
  held.defer(() => deps.live.stop()); // First, for streams would be waited for.
  process.stdout.write(`api listening on http://localhost:${port}\n`);

  const reason = await Promise.race([stopped, postgres.ended.then(() => 'no database')]);
  log.info({ reason }, 'stopping');
  if (reason === 'no database') process.exitCode = 1;
}

/** `--role api` answers, `worker` delivers and cleans, `all`, the default, does both. */
function readArguments() {
  const { seed, role } = parseArgs({
    options: {
      seed: { type: 'boolean', default: false },
      role: { type: 'string', default: 'all' },
    },
  }).values;
  if (!['api', 'worker', 'all'].includes(role)) {
    throw new Error(`--role: must be api, worker or all, not "${role}".`);
  }
  return { seed, role };
}

/** Migrations may take longer than any request, so they have connections of their own. */
async function prepare(config: Config, url: string, seed: boolean): Promise<void> {
  const { db, close } = openDatabase(url, { limitStatements: false });
  try {
    await migrate(db);
    if (!seed) return;
    await seedInTurn(db, async () => {
      await seedIfEmpty(db);
      // Their password is known to everybody.
      if (!config.processor.livemode) await seedDemoPeople(db, peopleOf(config, db));
    });
  } finally {
    await close();
  }
}

function openDeps(config: Config, url: string, log: Logger, held: AsyncDisposableStack): Deps {
  // Its message only: `pg` hangs the whole connection onto the error.
  const onIdleError = ({ message }: Error) =>
    log.warn({ error: message }, 'an idle connection broke');
  const database = openDatabase(url, { onIdleError });
  held.defer(database.close);
  return createDeps(config, database, log);
}

/** What happens without a request: notices and mail leave, what got lost is found, old rows go. */
function startWork(config: Config, deps: Deps, held: AsyncDisposableStack): void {
  const { db, webhooks, links, log } = deps;
  const cleaning = setInterval(() => {
    removeExpired(db).catch((err: unknown) => log.warn({ err }, 'cleaning failed'));
  }, CLEAN_EVERY_MS).unref();
  held.defer(() => clearInterval(cleaning));
  const allowHosts = config.webhookAllowHosts;
  const deliverer = startDeliverer({ db, webhooks, log, allowHosts });
  held.defer(() => deliverer.stop());
  const postman = startPostman({ db, config: config.mail, links, log });
  held.defer(async () => await postman?.stop());
  const reconciler = startReconciler(deps);
  held.defer(() => reconciler.stop());
}

function serve({ fetch }: ReturnType<typeof createApp>): Server {
  const listener = getRequestListener(fetch, { errorHandler: answerMalformed });
  return createServer((request, response) => void listener(request, response)).on(
    'clientError',
    refuseConnection,
  );
}

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}
