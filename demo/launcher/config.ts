import { homedir } from 'node:os';
import { extname, join, resolve } from 'node:path';

/** The root of the repository, or of the package `connect-embed`, which has the same folders. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** `.ts` in the repository, `.js` in the package. */
export const EXTENSION = extname(import.meta.filename);

/** Folder of all data. The package's own folder is replaced when the package is updated. */
export const DEFAULT_DATA_DIR =
  EXTENSION === '.ts' ? join(ROOT, '.data') : join(homedir(), '.connect-embed');
/** Folder of all data of `--empty`: a folder with demo data has nothing to set up. */
export const EMPTY_DATA_DIR = `${DEFAULT_DATA_DIR}-empty`;

/** The docs site is built from sources that the package does not contain. */
export const HAS_DOCS_SITE = EXTENSION === '.ts';

/** What people type. */
export const COMMANDS =
  EXTENSION === '.ts'
    ? { start: 'npm start', reset: 'npm run reset', resetEmpty: 'npm run reset -- --empty' }
    : {
        start: 'npx connect-embed',
        reset: 'npx connect-embed demo --reset',
        resetEmpty: 'npx connect-embed demo --reset --empty',
      };

/** Returns the path of a program, such as `demo/main`. */
export const programPath = (name: string) => join(ROOT, name + EXTENSION);

/** The services, each with the environment variable that sets its port. `server` is the BFF. */
export const PORT_VARIABLES = {
  sandbox: 'SANDBOX_PORT',
  api: 'API_PORT',
  server: 'SERVER_PORT',
  demo: 'DEMO_PORT',
} as const;
export type ServiceName = keyof typeof PORT_VARIABLES;

const DEFAULT_PORTS: Record<ServiceName, number> = {
  sandbox: 4300,
  api: 4000,
  server: 4100,
  demo: 4200,
};

/** Settings of the launcher, which `npm start` runs. */
export interface LauncherConfig {
  /** 0 selects any free port. */
  ports: Record<ServiceName, number>;
  host: string;
  dataDir: string;
  /** Whether Stripe keys are set. Then the sandbox is not started. */
  usesStripe: boolean;
  /** Whether the database stays without demo data, to show the setup of an installation. */
  isEmpty: boolean;
  /** Whether npm started this process. npm runs it in a shell, which does not forward SIGTERM. */
  isStartedByNpm: boolean;
  /**
   * The environment without empty variables. The services get their settings from these variables.
   */
  variables: NodeJS.ProcessEnv;
}

/**
 * Reads the settings; an empty variable counts as absent.
 *
 * Does not use zod, because the launcher depends on nothing but Node.
 *
 * @param options the options of the command line
 * @throws {Error} naming the invalid variable
 */
export function readConfig(
  options: { isEmpty?: boolean | undefined } = {},
  env: NodeJS.ProcessEnv = process.env,
): LauncherConfig {
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const names = Object.keys(PORT_VARIABLES) as ServiceName[];
  const ports = Object.fromEntries(names.map((name) => [name, readPort(name, variables)]));
  requireDistinctPorts(ports);
  const isEmpty = options.isEmpty || variables['START_EMPTY'] === '1';
  return {
    ports: ports as Record<ServiceName, number>,
    host: variables['HOST'] ?? '127.0.0.1',
    dataDir: resolve(variables['DATA_DIR'] ?? (isEmpty ? EMPTY_DATA_DIR : DEFAULT_DATA_DIR)),
    isEmpty,
    usesStripe: variables['STRIPE_SECRET_KEY'] !== undefined,
    isStartedByNpm: variables['npm_lifecycle_event'] !== undefined,
    variables,
  };
}

function readPort(service: ServiceName, variables: NodeJS.ProcessEnv): number {
  const name = PORT_VARIABLES[service];
  const port = Number(variables[name] ?? DEFAULT_PORTS[service]);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`${name}: "${variables[name]}" is not a port number from 0 to 65535.`);
}

function requireDistinctPorts(ports: Record<string, number>) {
  const seen = new Map<number, string>();
  for (const [service, port] of Object.entries(ports)) {
    const name = PORT_VARIABLES[service as ServiceName];
    const other = seen.get(port);
    if (port !== 0 && other) throw new Error(`${other} and ${name} are both ${port}.`);
    seen.set(port, name);
  }
}
