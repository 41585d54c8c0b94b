import { DEFAULT_DATA_DIR } from '@connect-embed/demo/config';

/** Lets a command use the data of the demo, wherever this package is installed. */
export function setDefaultDataFolder(): void {
  process.env['DATA_DIR'] ||= DEFAULT_DATA_DIR;
}

/** Whether the demo uses a PostgreSQL of the user. */
export const hasDatabase = () => Boolean(process.env['DATABASE_URL']);

/** Whether errors that end the process are logged as JSON. */
export const isProduction = () => process.env['NODE_ENV'] === 'production';

/** The services that `connect-embed serve` runs. */
export const ROLES = ['api', 'worker', 'server'] as const;
export type Role = (typeof ROLES)[number];

/** Addresses of HOST that are no address to connect to. */
const ANY_ADDRESS = new Set([undefined, '0.0.0.0', '::']);

/**
 * Completes the environment for `serve`, so that the API and the server share one file: a variable that
 * both have means the same for both, and what the server has to know about the API is taken from the
 * variables of the API.
 *
 * @throws {Error} if the API or the worker has no database
 */
export function readServeVariables(
  roles: ReadonlySet<Role>,
  environment: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const variables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== ''),
  );
  const { DATABASE_URL, API_BASE_URL, SERVER_API_KEY } = variables;
  if (!DATABASE_URL && (roles.has('api') || roles.has('worker'))) {
    throw new Error(
      'DATABASE_URL is required: the address of your PostgreSQL. `connect-embed demo` needs none.',
    );
  }
  const publicApi = API_BASE_URL && { CONNECT_PUBLIC_API_BASE: toApiBase(API_BASE_URL) };
  return {
    NODE_ENV: 'production',
    ...(SERVER_API_KEY && { CONNECT_API_KEY: SERVER_API_KEY }),
    ...publicApi,
    ...(API_BASE_URL && !roles.has('api') && { CONNECT_API_BASE: toApiBase(API_BASE_URL) }),
    ...variables,
  };
}

/** Returns the address of an API in the same process, for the server. */
export const localApiBase = (port: number, { HOST }: NodeJS.ProcessEnv) =>
  toApiBase(`http://${ANY_ADDRESS.has(HOST) ? '127.0.0.1' : HOST}:${port}`);

const toApiBase = (url: string) => `${url.replace(/\/+$/, '')}/api/v1`;

/**
 * Reads the API's address and key for commands that call the API. The key is never an argument,
 * because other users of a machine can read those.
 *
 * @throws {Error} if one of them is missing
 */
export function readApiVariables(
  api: string | undefined,
  { CONNECT_API_BASE, CONNECT_API_KEY }: NodeJS.ProcessEnv = process.env,
): { apiBase: string; token: string } {
  const apiBase = api ?? CONNECT_API_BASE;
  if (!apiBase)
    throw new Error('The address of the API is missing: set --api or CONNECT_API_BASE.');
  if (!CONNECT_API_KEY) throw new Error('The environment variable CONNECT_API_KEY is missing.');
  return { apiBase, token: CONNECT_API_KEY };
}
