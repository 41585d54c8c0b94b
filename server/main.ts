/** Runs the server in Node: reads the configuration, listens, and stops cleanly. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { pino } from 'pino';
import { createConnectServer } from './app.ts';
import { clientAddress } from './client-address.ts';
import { Environment, loadConnectConfig, readEnvironment } from './config.ts';
import { openScriptFolder } from './script-folder.ts';
import { openUndiciFetch } from './undici-fetch.ts';

/** Requests under way may end; a page that holds its connection may not hold us. */
const STOP_WITHIN_MS = 10_000;

const BUNDLE = fileURLToPath(new URL('../packages/elements/dist', import.meta.url));

function help(): string {
  const lines = Object.entries(Environment.shape).map(
    ([name, schema]) => `  ${name.padEnd(24)} ${schema.description ?? ''}`,
  );
  return ['node server/main.ts', '', 'Reads from the environment:', ...lines].join('\n');
}

async function start(): Promise<void> {
  const env = readEnvironment();
  const upstream = openUndiciFetch();
  const log = pino({ level: env.LOG_LEVEL, base: { room: 'server' } });
  const scripts = openScriptFolder(env.SCRIPTS_DIR ?? BUNDLE, version());
  void scripts.find('connect.js'); // Compresses it now, not when the first page asks.
  const connect = createConnectServer({
    ...(await loadConnectConfig(env)),
    apiBase: env.CONNECT_API_BASE,
    publicApiBase: env.CONNECT_PUBLIC_API_BASE,
    apiKey: env.CONNECT_API_KEY,
    sessionSecret: env.SESSION_SECRET,
    scripts,
    fetch: upstream.fetch,
    clientIp: clientAddress(env.TRUST_PROXY),
    log,
  });
  if (env.VIEWER_JWKS_URL && !env.VIEWER_AUDIENCE) {
    log.warn('VIEWER_AUDIENCE is not set: tokens of the same issuer for other sites pass too');
  }
  listen(connect.fetch, env, () => upstream.close());
}

/** The release that `/v{version}/connect.js` names: the elements' own. */
function version(): string {
  const file = new URL('../packages/elements/package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

function listen(
  fetch: Parameters<typeof serve>[0]['fetch'],
  { HOST: hostname, SERVER_PORT: port }: Environment,
  onStop: () => Promise<void>,
): void {
  const server = serve({ fetch, hostname, port });
  server.on('listening', () => {
    const { port: taken } = server.address() as AddressInfo;
    console.log(`server listening on http://localhost:${taken}`);
  });
  server.on('error', (error: NodeJS.ErrnoException) => {
    const taken = error.code === 'EADDRINUSE';
    fail(taken ? `Port ${port} is taken. Set SERVER_PORT to another.` : error.message);
  });
  const stop = () => {
    server.close(() => void onStop().then(() => process.exit(0)));
    if ('closeIdleConnections' in server) server.closeIdleConnections();
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

if (process.argv.includes('--help') || process.argv.includes('-h')) console.log(help());
else await start().catch((error: Error) => fail(error.message));
