import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeIssue, describeIssues } from '@connect-embed/contract/describe-issue';
import { secretList, splitList } from '@connect-embed/contract/secret-list';
import { z } from 'zod';
import {
  ApiKey,
  BasePath,
  ConnectConfig,
  HttpUrl,
  MIN_SECRET_LENGTH,
  Origin,
  WebhookSecret,
} from './connect-config.ts';

/** Names of the configuration file. The first one that exists is read. */
const CONFIG_FILES = ['connect.config.ts', 'connect.config.js', 'connect.config.mjs'];

const secretOf = (minLength: number) =>
  secretList(({ length }) => length >= minLength, `must be at least ${minLength} characters long.`);

/** Treats an empty value (`CONNECT_API_KEY=` in an env file) as not set. */
const withoutBlankValues = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

const commaSeparated = (text: z.ZodType<string, string>) =>
  z.string().default('').transform(splitList).pipe(z.array(text));

/** Whether errors that end the process are logged as JSON. */
export const isProduction = () => process.env['NODE_ENV'] === 'production';

/** Every environment variable that this server reads; `node packages/cli/src/server/main.ts --help` lists them. */
export const Environment = z.object({
  SERVER_PORT: z.coerce
    .number('must be a port number.')
    .int()
    .min(0)
    .max(65_535)
    .default(4100)
    .describe('Port to listen on; 0 chooses a free port.'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  SERVER_BASE_URL: HttpUrl.optional().describe(
    'Public address of this server; without production http://localhost and its port.',
  ),
  BASE_PATH: BasePath.describe(
    'Path below which this server is mounted, if the proxy does not strip it: /connect.',
  ),
  NODE_ENV: z.string().optional().describe('production requires SERVER_BASE_URL for giving pages.'),
  CONNECT_API_BASE: HttpUrl.default('http://localhost:4000/api/v1').describe(
    'URL of the Connect API for this server.',
  ),
  CONNECT_PUBLIC_API_BASE: HttpUrl.optional().describe(
    'URL of the Connect API for browsers, if it differs.',
  ),
  SANDBOX_URL: HttpUrl.optional().describe(
    'URL of the sandbox, if the API uses one; http://localhost:4300 if the API is on this machine.',
  ),
  CONNECT_API_KEY: ApiKey.describe(
    'API key with payments:write and the read scopes of the tables that you embed.',
  ),
  SESSION_SECRET: secretOf(MIN_SECRET_LENGTH).describe(
    'Signs the tokens of pages; the same in every process. Two, the newest first, during a rotation.',
  ),
  WEBHOOK_SECRET: commaSeparated(WebhookSecret).describe(
    'Signing secret of your webhook endpoint; two, separated by a comma, during a rotation.',
  ),
  VIEWER_SECRET: secretOf(MIN_SECRET_LENGTH)
    .optional()
    .describe('Secret with which your site signs viewer tokens (HS256); two during a rotation.'),
  VIEWER_JWKS_URL: z
    .url('must be a URL.')
    .optional()
    .describe('Instead of VIEWER_SECRET: URL of the public keys of viewer tokens.'),
  VIEWER_AUDIENCE: z.string().optional().describe('Required `aud` of viewer tokens.'),
  VIEWER_ISSUER: z.string().optional().describe('Required `iss` of viewer tokens.'),
  CONNECT_CONFIG: z
    .string()
    .optional()
    .describe(
      `Configuration file with forms and origins; by default ${CONFIG_FILES[0]}, if it exists.`,
    ),
  ALLOWED_ORIGINS: commaSeparated(Origin).describe(
    'More origins that may embed, comma-separated; https://*.example.org for every subdomain.',
  ),
  TRUST_PROXY: z.coerce
    .number('must be the number of your proxies in front of the server.')
    .int()
    .min(0)
    .max(10)
    .default(0)
    .describe('Number of your proxies that append to X-Forwarded-For.'),
  SCRIPTS_DIR: z.string().optional().describe('Folder of the built connect.js.'),
  SCRIPTS_ARCHIVE_DIR: z
    .string()
    .optional()
    .describe('Folder that keeps the scripts of every version for pages that pin one.'),
  METRICS_TOKEN: secretOf(16)
    .optional()
    .describe('Bearer token for /metrics, or two; without it /metrics is off.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Log level of standard output.'),
});
export type Environment = z.output<typeof Environment>;

/** An invalid setting; the message names the variable or the field. */
class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @throws {ConfigError} with one line for every invalid variable */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const result = Environment.safeParse(withoutBlankValues(env), { error: describeIssue });
  if (!result.success) throw toConfigError(result.error, '');
  const { VIEWER_SECRET, VIEWER_JWKS_URL } = result.data;
  if (VIEWER_SECRET && VIEWER_JWKS_URL) {
    throw new ConfigError('VIEWER_SECRET and VIEWER_JWKS_URL: set only one of them.');
  }
  return result.data;
}

/**
 * Loads `connect.config.ts`, or `.js` where Node cannot read TypeScript, and merges the environment into it.
 *
 * @throws {ConfigError} naming the file and the invalid field
 */
export async function loadConnectConfig(env: Environment): Promise<ConnectConfig> {
  const file = env.CONNECT_CONFIG ?? CONFIG_FILES.find((name) => existsSync(name));
  const config = file ? await importConfig(resolve(file)) : {};
  const viewer = readViewer(env);
  const origins = [...new Set([...(config.origins ?? []), ...env.ALLOWED_ORIGINS])];
  return { ...config, origins, ...(viewer && { viewer }) };
}

/** Node has this feature since 22.18. */
const canReadTypeScript = 'typescript' in process.features && process.features.typescript !== false;

async function importConfig(path: string): Promise<ConnectConfig> {
  if (!existsSync(path)) throw new ConfigError(`CONNECT_CONFIG: the file ${path} does not exist.`);
  if (path.endsWith('.ts') && !canReadTypeScript) {
    throw new ConfigError(
      `${path}: Node ${process.version} cannot read TypeScript. Write connect.config.js, or use Node 22.18 or newer.`,
    );
  }
  let exported: { default?: unknown };
  try {
    exported = (await import(pathToFileURL(path).href)) as typeof exported;
  } catch (cause) {
    throw new ConfigError(`${path} could not be loaded: ${String(cause)}`, { cause });
  }
  const result = ConnectConfig.safeParse(exported.default, { error: describeIssue });
  if (!result.success) throw toConfigError(result.error, `${path}: `);
  return exported.default as ConnectConfig;
}

function readViewer(env: Environment): ConnectConfig['viewer'] {
  const rules = {
    ...(env.VIEWER_AUDIENCE && { audience: env.VIEWER_AUDIENCE }),
    ...(env.VIEWER_ISSUER && { issuer: env.VIEWER_ISSUER }),
  };
  if (env.VIEWER_SECRET) return { secret: env.VIEWER_SECRET, ...rules };
  return env.VIEWER_JWKS_URL ? { jwksUrl: env.VIEWER_JWKS_URL, ...rules } : undefined;
}

const toConfigError = (error: z.ZodError, prefix: string) =>
  new ConfigError(
    describeIssues(error, 'The default export')
      .map((line) => prefix + line)
      .join('\n'),
  );
