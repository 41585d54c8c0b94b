import { join } from 'node:path';
import { ROOT, type LauncherConfig } from './config.ts';
import type { ServicePlan } from './service-process.ts';
import type { Secrets } from './secrets.ts';

/** Base URLs of the services that `npm start` runs. */
export interface Addresses {
  site: string;
  server: string;
  api: string;
  sandbox: string;
}

/**
 * Environment variables that are not passed to every service: they belong to a single service, or
 * to other projects on the machine.
 */
const PRIVATE_VARIABLES =
  /^(STRIPE_|DATABASE_URL$|API_SECRET$|CONNECT_|SESSION_SECRET$|VIEWER_|SANDBOX_URL$|SANDBOX_WEBHOOK_|SMTP_URL$|MAIL_FROM$)/;

/** Origins of Stripe.js, its frames and its API, for the content security policy. */
const STRIPE_ORIGINS =
  'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com https://api.stripe.com';

export const serviceAddresses = ({ ports }: LauncherConfig): Addresses => ({
  site: `http://localhost:${ports.demo}`,
  server: `http://localhost:${ports.server}`,
  api: `http://localhost:${ports.api}`,
  sandbox: `http://localhost:${ports.sandbox}`,
});

/**
 * Returns the command and environment of each service. The plan of the BFF is created by a
 * function, because the BFF needs an API key, which is created once the API runs.
 */
export function planServices(config: LauncherConfig, secrets: Secrets) {
  const { ports, dataDir, usesStripe } = config;
  const { site, server, api, sandbox } = serviceAddresses(config);
  const shared: NodeJS.ProcessEnv = { LOG_LEVEL: 'warn', ...publicVariables(config) };
  const pickVariables = (...names: string[]) => pick(config.variables, names);
  const webhookEnv = usesStripe ? {} : { SANDBOX_WEBHOOK_SECRET: secrets.sandboxWebhook };

  const plans = {
    sandbox: {
      name: 'sandbox',
      command: ['packages/sandbox/src/main.ts'],
      env: {
        ...shared,
        ...webhookEnv,
        SANDBOX_PORT: String(ports.sandbox),
        SANDBOX_WEBHOOK_URL: `${api}/processor-events`,
        DATA_DIR: dataDir,
      },
    },
    api: {
      name: 'api',
      command: ['packages/api/src/main.ts', '--seed'],
      env: {
        ...shared,
        ...webhookEnv,
        ...pickVariables(
          'DATABASE_URL',
          'API_SECRET',
          'SMTP_URL',
          'MAIL_FROM',
          ...STRIPE_VARIABLES,
        ),
        API_PORT: String(ports.api),
        SANDBOX_URL: sandbox,
        DATA_DIR: dataDir,
      },
    },
    demo: {
      name: 'demo',
      command: ['demo/main.ts'],
      env: {
        ...shared,
        DEMO_PORT: String(ports.demo),
        CONNECT_SERVER_URL: server,
        CONNECT_API_URL: api,
        CARD_ORIGINS: usesStripe ? STRIPE_ORIGINS : sandbox,
        VIEWER_SECRET: secrets.viewer,
      },
    },
  } satisfies Record<string, ServicePlan>;

  const createBffPlan = (apiKey: string): ServicePlan => ({
    name: 'server',
    command: ['server/main.ts'],
    env: {
      ...shared,
      CONNECT_CONFIG: join(ROOT, 'demo/connect.config.ts'),
      ...pickVariables('CONNECT_CONFIG'),
      SERVER_PORT: String(ports.server),
      CONNECT_API_BASE: `${api}/api/v1`,
      CONNECT_API_KEY: apiKey,
      SESSION_SECRET: secrets.session,
      VIEWER_SECRET: secrets.viewer,
      ALLOWED_ORIGINS: [
        site,
        `http://127.0.0.1:${ports.demo}`,
        ...Object.values(pickVariables('ALLOWED_ORIGINS')),
      ].join(','),
    },
  });
  return { ...plans, createBffPlan };
}

const STRIPE_VARIABLES = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'];

const publicVariables = ({ variables }: LauncherConfig) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !PRIVATE_VARIABLES.test(name)));

const pick = (variables: NodeJS.ProcessEnv, names: string[]) =>
  Object.fromEntries(
    names.filter((name) => name in variables).map((name) => [name, variables[name]]),
  );
