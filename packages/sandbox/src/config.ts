import { fileURLToPath } from 'node:url';
import { parseAllowedHosts } from '@connect-embed/contract/local-host';
import { isLogLevel, LOG_LEVELS, type LogLevel } from './log.ts';

export type Config = {
  port: number;
  host: string;
  /** Host names besides the local ones that requests may use; undefined allows any name. */
  allowedHosts: string[] | undefined;
  dataDir: string;
  webhookUrl: string;
  webhookSecret: string;
  latencyMs: number;
  /** Limit of an account's requests to one endpoint; 0 for none. */
  requestsPerSecond: number;
  /** Level of the log; lines of less important levels are not printed. */
  logLevel: LogLevel;
  /** True in a production environment, where the sandbox prints a warning. */
  isProduction: boolean;
};

const WHOLE_NUMBER = /^\d{1,6}$/;
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

export const HELP = `Simulates Stripe on this machine. No money moves.

  node packages/sandbox/src/main.ts

  SANDBOX_PORT            4300; 0 chooses a free port
  HOST                    127.0.0.1
  ALLOWED_HOSTS           host names other than localhost that requests may use, such as
                          sandbox,.preview.example; any with NODE_ENV=production
  DATA_DIR                .data; payments are stored in sandbox.db there
  SANDBOX_WEBHOOK_URL     http://localhost:4000/processor-events; empty turns off webhook events
  SANDBOX_WEBHOOK_SECRET  whsec_sandbox
  SANDBOX_LATENCY_MS      0; how long a payment takes
  SANDBOX_REQUESTS_PER_SECOND
                          0 for no limit; Stripe accepts 25 for each endpoint of an account, then
                          responds 429
  LOG_LEVEL               info logs every request and event; warn logs failures only
  SANDBOX_IN_PRODUCTION   1 allows it to start with NODE_ENV=production

Keys: sk_test_sandbox and pk_test_sandbox. Keys such as sk_test_own_garden and pk_test_own_garden
belong to an account that is used without the platform; rk_test_own_garden is a restricted key,
and rk_test_own_garden_without_payouts is one without the permission for /v1/payouts.
With sk_live_own_garden, the account has other objects, as in live mode. No money moves.`;

/**
 * Reads the sandbox's settings from the environment; the only function of this package that does.
 *
 * It does not use zod, because this package depends on Hono only.
 *
 * @throws if a variable is invalid, or if the environment may have real payments
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  rejectLiveEnvironment(env);
  const { SANDBOX_WEBHOOK_URL: url = 'http://localhost:4000/processor-events' } = env;
  if (url && !URL.canParse(url)) throw new Error('SANDBOX_WEBHOOK_URL is not a URL.');
  const port = parseWholeNumber('SANDBOX_PORT', env['SANDBOX_PORT'] || '4300');
  if (port > 65_535) throw new Error('SANDBOX_PORT must be a port from 0 to 65535.');
  const host = env['HOST'] || '127.0.0.1';
  const isProduction = env['NODE_ENV'] === 'production';
  return {
    port,
    host,
    // In production, a proxy is in front of the sandbox, and its data is not private.
    allowedHosts: isProduction ? undefined : [host, ...parseAllowedHosts(env['ALLOWED_HOSTS'])],
    dataDir: env['DATA_DIR'] || `${REPOSITORY}.data`,
    webhookUrl: url,
    webhookSecret: env['SANDBOX_WEBHOOK_SECRET'] || 'whsec_sandbox',
    latencyMs: parseWholeNumber('SANDBOX_LATENCY_MS', env['SANDBOX_LATENCY_MS'] || '0'),
    requestsPerSecond: parseWholeNumber(
      'SANDBOX_REQUESTS_PER_SECOND',
      env['SANDBOX_REQUESTS_PER_SECOND'] || '0',
    ),
    logLevel: parseLogLevel(env['LOG_LEVEL'] || 'info'),
    isProduction,
  };
}

/** Keeps the sandbox out of production, where its simulated payments would look like real donations. */
function rejectLiveEnvironment(env: NodeJS.ProcessEnv) {
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY']) {
    if (env[name])
      throw new Error(`The sandbox does not start together with ${name}. Unset one of the two.`);
  }
  if (env['NODE_ENV'] === 'production' && env['SANDBOX_IN_PRODUCTION'] !== '1') {
    throw new Error(
      'The sandbox accepts no real payments and does not start with NODE_ENV=production. To start it anyway, set SANDBOX_IN_PRODUCTION=1.',
    );
  }
}

function parseLogLevel(text: string): LogLevel {
  if (isLogLevel(text)) return text;
  throw new Error(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${text}".`);
}

function parseWholeNumber(name: string, value: string): number {
  if (WHOLE_NUMBER.test(value)) return Number(value);
  throw new Error(`${name} must be a whole number, not "${value}".`);
}
