import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { createCaller } from '../support/api-request.ts';
import { freePorts } from '../support/free-ports.ts';
import { ACCOUNT, openBrowserStripe, openStripe } from '../support/processor.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { isReachable } from '../support/system.ts';

export const SITE = 'https://www.harborstreet.example';

export interface System extends AsyncDisposable {
  /** URLs of two BFFs that share one API. */
  servers: string[];
  /** A Stripe client with the publishable key, as browsers have. */
  browser: Stripe;
  /** Number of cards that reached the processor, by payment intent. */
  cards(): Promise<Map<string, number>>;
  /** Restarts the BFFs and the API on the same data. */
  restart(): Promise<void>;
}

/**
 * Starts database, API, sandbox and two BFFs with fresh data.
 *
 * @param options.cardMs how long the sandbox takes for a card
 * @param options.eventMs delay of each event
 */
export async function startSystem({
  cardMs,
  eventMs,
}: {
  cardMs: number;
  eventMs: number;
}): Promise<System> {
  const dataDir = await mkdtemp(join(tmpdir(), 'connect-card-testing-'));
  await chmod(dataDir, 0o711); // PostgreSQL may run as another user, who must be able to enter.
  const [apiPort, sandboxPort, ...serverPorts] = await freePorts(4);
  const sandboxUrl = `http://localhost:${sandboxPort}`;
  const config = join(dataDir, 'forms.config.ts');
  await writeFile(config, `export default { origins: ['${SITE}'], forms: { default: {} } };\n`);
  const shared = {
    DATABASE_URL: '',
    STRIPE_SECRET_KEY: '',
    STRIPE_PUBLISHABLE_KEY: '',
    STRIPE_WEBHOOK_SECRET: '',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
  };
  const apiEnv = {
    ...shared,
    API_PORT: String(apiPort),
    SANDBOX_URL: sandboxUrl,
    STRIPE_REQUESTS_PER_SECOND: '10000', // Attackers send many requests a second.
  };
  const sandbox = new ServiceProcess('packages/sandbox/src/main.ts', {
    ...shared,
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_LATENCY_MS: String(cardMs),
    SANDBOX_WEBHOOK_URL: `http://localhost:${apiPort}/processor-events`,
  });
  await sandbox.waitUntil(() => isReachable(`${sandboxUrl}/healthz`), 'the sandbox answered');
  await delayEvents(sandboxUrl, eventMs);

  const startApi = async () => {
    const api = new ServiceProcess('packages/cli/src/service/main.ts', apiEnv, ['--seed']);
    await api.waitUntil(
      () => isReachable(`http://localhost:${apiPort}/readyz`),
      'the API answered',
    );
    return api;
  };
  const createKey = async () => {
    const command = ['keys', 'create', '--name', 'server', '--scopes', 'payments:write'];
    const args = [...command, '--organization', 'org_harbor', '--json'];
    const cli = new ServiceProcess('packages/cli/src/main.ts', apiEnv, args);
    await cli.waitUntil(() => cli.output.includes('}'), 'a key was printed');
    await cli.stop();
    const printed = /\{[\s\S]*\}/.exec(cli.output)![0];
    return (JSON.parse(printed) as { key: string }).key;
  };
  // Both BFFs use the same secret, so that they hash an address alike, but separate API keys,
  // because each key has its own rate limit.
  const startServer = async (port: number, key: string) => {
    const server = new ServiceProcess('packages/cli/src/server/main.ts', {
      ...shared,
      SERVER_PORT: String(port),
      CONNECT_API_BASE: `http://localhost:${apiPort}/api/v1`,
      SANDBOX_URL: sandboxUrl,
      CONNECT_API_KEY: key,
      SESSION_SECRET: 'a session secret of the simulation that is long enough',
      CONNECT_CONFIG: config,
      TRUST_PROXY: '1',
    });
    await server.waitUntil(
      () => isReachable(`http://localhost:${port}/readyz`),
      'a server answered',
    );
    return server;
  };

  let api = await startApi();
  const keys = [await createKey(), await createKey()];
  const startServers = () =>
    Promise.all(serverPorts.map((port, index) => startServer(port, keys[index]!)));
  let running = await startServers();

  const stop = async () => {
    await Promise.all(running.map((server) => server.stop()));
    await api.stop();
  };
  return {
    servers: serverPorts.map((port) => `http://localhost:${port}`),
    browser: openBrowserStripe(sandboxUrl),
    cards: () => countCharges(openStripe(sandboxUrl)),
    restart: async () => {
      await stop();
      api = await startApi();
      running = await startServers();
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await sandbox.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Counts charges: each tried card has one, declined or not. */
async function countCharges(stripe: Stripe): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const charges = stripe.charges.list({ limit: 100 }, { stripeAccount: ACCOUNT });
  for await (const { payment_intent } of charges) {
    const id = typeof payment_intent === 'string' ? payment_intent : payment_intent?.id;
    if (id) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Has the sandbox send each event late. */
async function delayEvents(sandboxUrl: string, ms: number) {
  const body = { name: 'delay_event', ms };
  const response = await createCaller(sandboxUrl)({ path: '/sandbox/faults', body });
  if (!response.ok) throw new Error(`The events could not be delayed: ${response.status}.`);
}
