/** Runs the BFF in Node: reads the configuration, listens, and stops cleanly. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { clientAddress } from '@connect-embed/contract/client-address';
import { pino } from 'pino';
import { createConnectServer } from './app.ts';
import { Environment, loadConnectConfig, readEnvironment } from './config.ts';
import { createShareImageDrawer } from './giving-page/draw-share-image.ts';
import { listen } from './listen.ts';
import { openScriptFolder } from './script-folder.ts';
import { openUndiciFetch } from './undici-fetch.ts';

const BUNDLE = fileURLToPath(new URL('../packages/elements/dist', import.meta.url));

function helpText(): string {
  const lines = Object.entries(Environment.shape).map(
    ([name, schema]) => `  ${name.padEnd(24)} ${schema.description ?? ''}`,
  );
  return ['node server/main.ts', '', 'Environment variables:', ...lines].join('\n');
}

async function start(): Promise<void> {
  const env = readEnvironment();
  const upstream = openUndiciFetch();
  const log = pino({ level: env.LOG_LEVEL, base: { service: 'server' } });
  const version = readVersion();
  const scripts = openScriptFolder(env.SCRIPTS_DIR ?? BUNDLE, version);
  void scripts.find('connect.js'); // Compresses the script at start, not at the first request.
  const connect = createConnectServer({
    ...(await loadConnectConfig(env)),
    apiBase: env.CONNECT_API_BASE,
    publicApiBase: env.CONNECT_PUBLIC_API_BASE,
    publicUrl: env.SERVER_BASE_URL ?? localUrl(env),
    drawShareImage: createShareImageDrawer(),
    apiKey: env.CONNECT_API_KEY,
    sessionSecret: env.SESSION_SECRET,
    webhookSecrets: env.WEBHOOK_SECRET,
    scripts,
    version,
    fetch: upstream.fetch,
    clientIp: clientAddress(env.TRUST_PROXY),
    log,
  });
  if (env.NODE_ENV === 'production' && !env.SERVER_BASE_URL) {
    log.warn('SERVER_BASE_URL is not set: giving pages take no donations');
  }
  if (env.VIEWER_JWKS_URL && !env.VIEWER_AUDIENCE) {
    log.warn(
      'VIEWER_AUDIENCE is not set: tokens of the same issuer for other sites are accepted too',
    );
  }
  await listen(connect.fetch, env.HOST, env.SERVER_PORT);
  await upstream.close();
  process.exit(); // Does not wait for the compression of scripts.
}

/**
 * The address of this server on the developer's machine; unknown in production, where it would allow
 * pages of the visitor's own machine, and if the port is chosen at start.
 */
const localUrl = ({ NODE_ENV, SERVER_PORT }: Environment) =>
  NODE_ENV === 'production' || SERVER_PORT === 0 ? undefined : `http://localhost:${SERVER_PORT}`;

/** The version in `/v{version}/connect.js`, which is that of the elements package. */
function readVersion(): string {
  const file = new URL('../packages/elements/package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

if (process.argv.includes('--help') || process.argv.includes('-h')) console.log(helpText());
else {
  await start().catch((error: Error) => {
    console.error(error.message); // The message says what to change; a stack would hide it.
    process.exitCode = 1;
  });
}
