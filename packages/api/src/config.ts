import { join, resolve } from 'node:path';
import { describeIssue, describeIssues } from '@connect-embed/contract/describe-issue';
import { secretList } from '@connect-embed/contract/secret-list';
import type { Secrets } from '@connect-embed/contract/secrets';
import { STRIPE_SCRIPT } from '@connect-embed/contract/stripe-script';
import { z } from 'zod';
import { MIN_SECRET_LENGTH, readOrCreateSecret } from './lib/secret-file.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
/** Folder of the guides, for messages that name one. */
export const GUIDES_FOLDER = join(REPOSITORY, 'docs');
export const STRIPE_VARIABLES = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
] as const;

const Port = z.coerce.number().int().min(0).max(65_535);
const HttpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL.' });

/** A comma-separated list of `host:port`, for example `localhost:9999,[::1]:8080`. */
const HostList = z
  .string()
  .default('')
  .transform((text) => text.split(',').map((part) => part.trim().toLowerCase()))
  .transform((parts) => parts.filter((part) => part !== ''))
  .pipe(
    z.array(z.string().regex(/^[^\s/@]+:\d{1,5}$/, 'must be a comma-separated list of host:port.')),
  );

/** Whether errors that end the process are logged as JSON. */
export const isProduction = () => process.env['NODE_ENV'] === 'production';

/** Schema of all environment variables of the API, also printed by `--help`. */
export const Environment = z.object({
  API_PORT: Port.default(4000).describe('Port to listen on; 0 chooses a free port.'),
  API_BASE_URL: HttpUrl.transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Public URL of this service; http://localhost:$API_PORT by default.'),
  SERVER_BASE_URL: HttpUrl.transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Public URL of the server (BFF), which pages load connect.js from; the dashboard shows it in the code of forms.',
    ),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL.' })
    .optional()
    .describe('Your PostgreSQL; by default an embedded one in DATA_DIR.'),
  DATABASE_REPLICA_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL.' })
    .optional()
    .describe('A streaming replica of DATABASE_URL, which lists, sums and exports are read from.'),
  DATA_DIR: z
    .string()
    .default(join(REPOSITORY, '.data'))
    .describe('Folder of the embedded database and its secrets, without DATABASE_URL.'),
  API_SECRET: secretList(
    ({ length }) => length >= MIN_SECRET_LENGTH,
    `must have at least ${MIN_SECRET_LENGTH} characters.`,
  )
    .optional()
    .describe(
      'Encrypts secrets in the database and signs links; the same in all processes of a database. Two, the newest first, during a rotation.',
    ),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_/, 'must start with sk_ or rk_.')
    .optional()
    .describe(
      'Secret key of a platform’s Stripe account. Without it organizations use their own keys; in development, the sandbox is the platform.',
    ),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .startsWith('pk_', 'must start with pk_.')
    .optional()
    .describe('Publishable key of the same Stripe account, for browsers.'),
  STRIPE_WEBHOOK_SECRET: secretList(
    (secret) => secret.startsWith('whsec_'),
    'must start with whsec_.',
  )
    .optional()
    .describe(
      'Signing secret of your webhook endpoint at Stripe; two, separated by a comma, during a rotation.',
    ),
  STRIPE_REQUESTS_PER_SECOND: z.coerce
    .number('must be the number of requests per second that Stripe accepts.')
    .int()
    .min(1)
    .max(10_000)
    .default(25)
    .describe(
      'Stripe’s limit of requests per second for each endpoint of an account; beyond it donors wait in line.',
    ),
  SERVER_API_KEY: z
    .string()
    .regex(
      /^gb_live_[\w-]{43}$/,
      'must be gb_live_ and 43 random letters, digits, hyphens or underscores.',
    )
    .optional()
    .describe(
      'The CONNECT_API_KEY of your server. The setup stores it; links are for the organization that has it.',
    ),
  SANDBOX_URL: HttpUrl.default('http://localhost:4300').describe(
    'URL of the sandbox, our local stand-in for Stripe.',
  ),
  SANDBOX_WEBHOOK_SECRET: z
    .string()
    .min(1)
    .default('whsec_sandbox')
    .describe('Signing secret of the sandbox’s webhook events.'),
  WEBHOOK_ALLOW_HOSTS: HostList.describe(
    'Development only: host:port of webhook endpoints that may be private or use http.',
  ),
  TRUST_PROXY: z.coerce
    .number('must be the number of your proxies in front of the service.')
    .int()
    .min(0)
    .max(10)
    .default(0)
    .describe(
      'Number of your proxies that append to X-Forwarded-For, to find the client’s IP address.',
    ),
  METRICS_TOKEN: secretList(({ length }) => length >= 16, 'must have at least 16 characters.')
    .optional()
    .describe('Bearer token for /metrics, or two; without it /metrics is off.'),
  SCRIPTS_DIR: z
    .string()
    .default(join(REPOSITORY, 'packages/elements/dist'))
    .describe('Folder of the built connect.js, for hosted pages.'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL.' })
    .optional()
    .describe(
      'SMTP server for emails; without it and without Stripe, emails appear at /dev/mailbox.',
    ),
  MAIL_FROM: z
    .email('must be an email address.')
    .optional()
    .describe("Sender address of emails; the sender name is the organization's."),
  NODE_ENV: z.string().optional().describe('production turns off /dev/mailbox.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug or silent.'),
});
type Environment = z.infer<typeof Environment>;

/** Keys of the platform's Stripe account, which connects the accounts of organizations. */
interface PlatformKeys {
  secretKey: string;
  publishableKey: string;
  webhookSecret: Secrets;
}

/** Connection settings of the card processor. Stripe and the sandbox differ only in these values. */
export interface ProcessorConfig {
  /** Undefined if every organization uses its own Stripe keys. */
  platform: PlatformKeys | undefined;
  /** The script that renders the card form in the browser (Stripe.js). */
  scriptUrl: string;
  /** Whether the platform moves real money. Without a platform, organizations may do so. */
  livemode: boolean;
  /** Address of the sandbox's API; undefined if Stripe's own host is used. */
  address?: { host: string; port: number; protocol: 'http' | 'https' };
}

export interface MailConfig {
  smtpUrl: string | undefined;
  from: string;
  /** True in development if emails are stored and shown at /dev/mailbox instead of being sent. */
  mailbox: boolean;
}

/** Returns true if emails to donors can be sent or, in development, stored in the mailbox. */
export const canSendMail = ({ smtpUrl, mailbox }: MailConfig) => smtpUrl !== undefined || mailbox;

export interface Config {
  port: number;
  host: string;
  baseUrl: string;
  /** False if the base URL is the default, because the environment has none and no port. */
  isBaseUrlSet: boolean;
  /** Public URL of the server (BFF). */
  serverBaseUrl: string | undefined;
  /** API key of the server, which the setup of the first organization stores. */
  serverApiKey: string | undefined;
  databaseUrl: string | undefined;
  databaseReplicaUrl: string | undefined;
  dataDir: string;
  scriptsDir: string;
  logLevel: string;
  metricsToken: Secrets | undefined;
  /** Number of our own proxies in front of the service (X-Forwarded-For). */
  trustProxy: number;
  /** `host:port` of webhook endpoints that are allowed although they are private or use plain http. */
  webhookAllowHosts: string[];
  processor: ProcessorConfig;
  /** Stripe's limit of requests per second for each endpoint of an account. */
  stripeRequestsPerSecond: number;
  mail: MailConfig;
  /**
   * Returns API_SECRET, or reads the secret from a file in DATA_DIR. Creates that file if it is
   * missing; a command that never calls this method creates no file.
   */
  loadOrCreateSecret(): Secrets;
}

/**
 * Reads and validates the settings of the API.
 *
 * @throws {Error} with one line for each invalid variable, which names the variable
 */
export function readConfig(variables: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable counts as absent, as in `API_PORT= npm start`.
  const nonEmpty = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== ''),
  );
  const result = Environment.safeParse(nonEmpty, { error: describeIssue });
  if (!result.success) {
    throw new Error(describeIssues(result.error, 'The environment').join('\n'));
  }
  const environment = result.data;
  if (environment.DATABASE_URL && !environment.API_SECRET) {
    throw new Error('API_SECRET is required together with DATABASE_URL.');
  }
  if (environment.DATABASE_REPLICA_URL && !environment.DATABASE_URL) {
    throw new Error('DATABASE_URL is required together with DATABASE_REPLICA_URL.');
  }
  return {
    port: environment.API_PORT,
    host: environment.HOST,
    baseUrl: environment.API_BASE_URL ?? `http://localhost:${environment.API_PORT}`,
    isBaseUrlSet: 'API_BASE_URL' in nonEmpty || 'API_PORT' in nonEmpty,
    serverBaseUrl: environment.SERVER_BASE_URL,
    serverApiKey: environment.SERVER_API_KEY,
    databaseUrl: environment.DATABASE_URL,
    databaseReplicaUrl: environment.DATABASE_REPLICA_URL,
    dataDir: resolve(environment.DATA_DIR),
    scriptsDir: resolve(environment.SCRIPTS_DIR),
    logLevel: environment.LOG_LEVEL,
    metricsToken: environment.METRICS_TOKEN,
    trustProxy: environment.TRUST_PROXY,
    webhookAllowHosts: environment.WEBHOOK_ALLOW_HOSTS,
    processor: readProcessor(environment),
    stripeRequestsPerSecond: environment.STRIPE_REQUESTS_PER_SECOND,
    mail: readMail(environment),
    loadOrCreateSecret: () =>
      environment.API_SECRET ?? readStoredSecret(resolve(environment.DATA_DIR)),
  };
}

function readProcessor(environment: Environment): ProcessorConfig {
  const missing = STRIPE_VARIABLES.filter((name) => !environment[name]);
  if (missing.length === STRIPE_VARIABLES.length) {
    return mayUseSandbox(environment)
      ? sandbox(environment)
      : { platform: undefined, scriptUrl: STRIPE_SCRIPT, livemode: true };
  }
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = environment;
  if (!STRIPE_SECRET_KEY || !STRIPE_PUBLISHABLE_KEY || !STRIPE_WEBHOOK_SECRET) {
    throw new Error(`${missing.join(', ')}: missing. Set all three Stripe variables, or none.`);
  }
  const livemode = isLive(STRIPE_SECRET_KEY);
  if (livemode !== isLive(STRIPE_PUBLISHABLE_KEY)) {
    throw new Error(
      'STRIPE_PUBLISHABLE_KEY: one Stripe key is a live key and the other a test key.',
    );
  }
  return {
    platform: {
      secretKey: STRIPE_SECRET_KEY,
      publishableKey: STRIPE_PUBLISHABLE_KEY,
      webhookSecret: STRIPE_WEBHOOK_SECRET,
    },
    scriptUrl: STRIPE_SCRIPT,
    livemode,
  };
}

/**
 * Returns whether the sandbox is used without Stripe variables. In production it is used only with a
 * secret of its own: the sandbox moves no money, and anyone who knows its default secret can report
 * donations that do not exist. Otherwise organizations enter their own Stripe keys in the dashboard.
 */
const mayUseSandbox = ({ NODE_ENV, SANDBOX_WEBHOOK_SECRET }: Environment) =>
  NODE_ENV !== 'production' || SANDBOX_WEBHOOK_SECRET.length >= MIN_SECRET_LENGTH;

function readMail({ SMTP_URL, MAIL_FROM, NODE_ENV, ...environment }: Environment): MailConfig {
  if (SMTP_URL && !MAIL_FROM) throw new Error('MAIL_FROM is required together with SMTP_URL.');
  return {
    smtpUrl: SMTP_URL,
    from: MAIL_FROM ?? 'gifts@connect.invalid',
    mailbox: !SMTP_URL && !environment.STRIPE_SECRET_KEY && NODE_ENV !== 'production',
  };
}

const isLive = (key: string) => /^[a-z]+_live_/.test(key);

function sandbox({ SANDBOX_URL, SANDBOX_WEBHOOK_SECRET }: Environment): ProcessorConfig {
  const { protocol, hostname, port } = new URL(SANDBOX_URL);
  const secure = protocol === 'https:';
  return {
    platform: {
      secretKey: 'sk_test_sandbox',
      publishableKey: 'pk_test_sandbox',
      webhookSecret: SANDBOX_WEBHOOK_SECRET,
    },
    scriptUrl: `${SANDBOX_URL.replace(/\/+$/, '')}/stripe.js`,
    livemode: false,
    address: {
      host: hostname,
      port: Number(port || (secure ? 443 : 80)),
      protocol: secure ? 'https' : 'http',
    },
  };
}

/** Consequences of a lost secret: docs/operations.md. */
const LOST_SECRET_HINT =
  'Restore the file from a backup of this folder. If there is none, delete the file: a new secret is ' +
  'created at the next start, and `connect-embed secret replace` makes the database accept it.';

/** Reads or creates the secret of an embedded database, stored in its data folder. */
const readStoredSecret = (dataDir: string) =>
  readOrCreateSecret(join(dataDir, 'api-secret'), LOST_SECRET_HINT);
