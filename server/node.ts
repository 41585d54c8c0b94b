/** The BFF in Node: `@connect-embed/server/node`. */
import { clientAddress } from '@connect-embed/contract/client-address';
import { fatalLine } from '@connect-embed/contract/fatal-line';
import { requireMetricsToken } from '@connect-embed/contract/hono';
import type { Secrets } from '@connect-embed/contract/secrets';
import { pino } from 'pino';
import type { Registry } from 'prom-client';
import { openConnectServer, type ConnectServer } from './app.ts';
import { SCRIPTS_FOLDER, SCRIPTS_VERSION } from './built-scripts.ts';
import { Environment, isProduction, loadConnectConfig, readEnvironment } from './config.ts';
import type { ConnectServerConfig } from './connect-config.ts';
import { compressShared, fastCompressors } from './node/compressors.ts';
import { listen } from './node/listen.ts';
import { createServerMetrics } from './node/metrics.ts';
import { reportStart } from './node/report-start.ts';
import type { CreatePages } from './pages.ts';
import { archiveScripts, withArchive } from './scripts/script-archive.ts';
import { openScriptFolder } from './scripts/script-folder.ts';
import { openUndiciFetch } from './node/undici-fetch.ts';

export { clientAddress, Environment, readEnvironment };

/**
 * Returns the options of `createConnectServer` that need Node: the built scripts, a fast `fetch`, and Brotli.
 *
 * @param options.scriptsFolder a folder with another build of the scripts
 * @param options.scriptsArchive a folder with the scripts of other versions
 */
export const nodeOptions = ({
  scriptsFolder = SCRIPTS_FOLDER,
  scriptsArchive = '',
  fetch = openUndiciFetch().fetch,
} = {}) => ({
  scripts: openScripts(scriptsFolder, scriptsArchive),
  version: SCRIPTS_VERSION,
  fetch,
  compressors: fastCompressors,
  compressShared,
});

function openScripts(folder: string, archive: string) {
  const scripts = openScriptFolder(folder, SCRIPTS_VERSION);
  return archive ? withArchive(scripts, archive) : scripts;
}

/**
 * Starts the BFF with the settings of environment variables and `connect.config.ts`.
 *
 * @param variables those of the process by default
 * @param pages pages for donors
 * @throws {Error} with one line for every invalid setting
 */
export async function startServer(
  variables?: NodeJS.ProcessEnv,
  pages?: CreatePages,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const env = readEnvironment(variables);
  const { fetch: undiciFetch, close } = openUndiciFetch();
  const metrics = env.METRICS_TOKEN && createServerMetrics(env.BASE_PATH);
  const fetch = metrics ? metrics.measureFetch(undiciFetch) : undiciFetch;
  const archive = env.SCRIPTS_ARCHIVE_DIR;
  if (archive) await archiveScripts(env.SCRIPTS_DIR ?? SCRIPTS_FOLDER, SCRIPTS_VERSION, archive);
  const options = nodeOptions({ scriptsFolder: env.SCRIPTS_DIR, scriptsArchive: archive, fetch });
  const log = pino({ level: env.LOG_LEVEL, base: { service: 'server', version: SCRIPTS_VERSION } });
  void options.scripts.find('connect.js'); // Compresses the script at start, not at the first request.
  const config: ConnectServerConfig = {
    ...(await loadConnectConfig(env)),
    ...options,
    basePath: env.BASE_PATH,
    apiBase: env.CONNECT_API_BASE,
    publicApiBase: env.CONNECT_PUBLIC_API_BASE,
    sandboxUrl: env.SANDBOX_URL,
    publicUrl: env.SERVER_BASE_URL ?? localUrl(env),
    apiKey: env.CONNECT_API_KEY,
    sessionSecret: env.SESSION_SECRET,
    webhookSecrets: env.WEBHOOK_SECRET,
    clientIp: clientAddress(env.TRUST_PROXY),
    log,
    onRequest: metrics?.onRequest,
  };
  const { server: connect, ping } = openConnectServer(config, pages);
  if (metrics) addMetricsRoute(connect, metrics.register, env.METRICS_TOKEN!);
  if (env.NODE_ENV === 'production' && !env.SERVER_BASE_URL) {
    log.warn('SERVER_BASE_URL is not set: giving pages take no donations');
  }
  if (env.VIEWER_JWKS_URL && !env.VIEWER_AUDIENCE) {
    log.warn(
      'VIEWER_AUDIENCE is not set: tokens of the same issuer for other sites are accepted too',
    );
  }
  const server = await listen(connect.fetch, env.HOST, env.SERVER_PORT);
  process.stdout.write(`server listening on http://localhost:${server.port}\n`);
  const stopReports = reportStart(ping, log);
  const stop = async () => {
    stopReports();
    await server.stop();
    await close();
  };
  return { port: server.port, stop };
}

function addMetricsRoute(connect: ConnectServer, register: Registry, tokens: Secrets) {
  connect.get('/metrics', requireMetricsToken(tokens), async (c) =>
    c.body(await register.metrics(), 200, { 'Content-Type': register.contentType }),
  );
}

/** Runs the BFF with the settings of environment variables until a stop signal, then ends the process. */
export async function runServer(pages?: CreatePages): Promise<void> {
  // Registered before the start: the reader of its output may send the signal at once.
  const stopped = new Promise((resolve) =>
    process.once('SIGTERM', resolve).once('SIGINT', resolve),
  );
  try {
    const server = await startServer(undefined, pages);
    await stopped;
    await server.stop();
    process.exit(0); // Does not wait for the compression of scripts.
  } catch (error) {
    // The message says what to change; a stack would hide it.
    const { message: msg } = error as Error;
    const entry = { service: 'server', version: SCRIPTS_VERSION, msg };
    console.error(fatalLine(isProduction(), entry));
    process.exit(1);
  }
}

/**
 * The address of this server on the developer's machine; unknown in production, where it would allow
 * pages of the visitor's own machine, and if the port is chosen at start.
 */
const localUrl = ({ NODE_ENV, SERVER_PORT }: Environment) =>
  NODE_ENV === 'production' || SERVER_PORT === 0 ? undefined : `http://localhost:${SERVER_PORT}`;
