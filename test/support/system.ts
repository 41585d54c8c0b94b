import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { ServiceProcess } from './service-process.ts';

/** URLs of the running system as `npm start` writes them, and of the sandbox. */
export interface Addresses {
  site: string;
  server: string;
  api_base: string;
  api_key: string;
  organization_id: string;
  sandbox: string;
}

export interface TestSystem extends Addresses {
  /** Folder of its data. */
  dataDir: string;
  /** The whole output of the system so far. */
  output: () => string;
  /**
   * Stops the system as Ctrl-C does, and removes its data.
   *
   * @returns the exit code
   */
  close: () => Promise<number>;
}

/**
 * Starts the whole system like `npm start`, on free ports and with fresh data.
 *
 * The caller's own settings are removed, such as a database or Stripe keys.
 */
export async function startSystem(env: NodeJS.ProcessEnv = {}): Promise<TestSystem> {
  const dataDir = await mkdtemp(join(tmpdir(), 'connect-system-'));
  await chmod(dataDir, 0o711); // PostgreSQL may run as another user, who must be able to enter.
  const [api, server, demo, sandbox] = await freePorts(4);
  const system = new ServiceProcess('demo/start.ts', {
    DATABASE_URL: '',
    STRIPE_SECRET_KEY: '',
    STRIPE_PUBLISHABLE_KEY: '',
    STRIPE_WEBHOOK_SECRET: '',
    ...env,
    DATA_DIR: dataDir,
    API_PORT: String(api),
    SERVER_PORT: String(server),
    DEMO_PORT: String(demo),
    SANDBOX_PORT: String(sandbox),
  });
  const file = join(dataDir, 'demo.json');
  await system.waitUntil(() => existsSync(file), 'demo.json was written');
  const addresses = JSON.parse(await readFile(file, 'utf8')) as Omit<Addresses, 'sandbox'>;
  // On an empty database, the server is ready after the setup.
  const serverPath = env['START_EMPTY'] ? '/healthz' : '/readyz';
  for (const address of [addresses.site, addresses.server + serverPath]) {
    await system.waitUntil(() => isReachable(address), `${address} answered`);
  }
  return {
    ...addresses,
    sandbox: `http://localhost:${sandbox}`,
    dataDir,
    output: () => system.output,
    close: async () => {
      const code = await system.stop();
      await rm(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

/** Whether an address responds with a success status. */
export const isReachable = (address: string) =>
  fetch(address).then(
    ({ ok }) => ok,
    () => false,
  );
