import { resolve } from 'node:path';
import { programPath, type LauncherConfig } from './config.ts';
import type { ServicePlan } from './service-process.ts';
import type { Secrets } from './secrets.ts';

/** Base URLs of the services that `npm start` runs. */
interface Addresses {
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
  /^(STRIPE_|DATABASE_URL$|API_SECRET$|SERVER_API_KEY$|CONNECT_|SESSION_SECRET$|VIEWER_|SANDBOX_URL$|SANDBOX_WEBHOOK_|SMTP_URL$|MAIL_FROM$)/;

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
export const planServices = (config: LauncherConfig, secrets: Secrets) => ({
  sandbox: planSandbox(config, secrets),
  api: planApi(config, secrets),
  demo: planDemo(config, secrets),
  createBffPlan: (apiKey: string) => planBff(config, secrets, apiKey),
});

const planSandbox = (config: LauncherConfig, secrets: Secrets): ServicePlan => ({
  name: 'sandbox',
  command: ['packages/sandbox/src/main'],
  env: {
    ...sharedVariables(config),
    ...sandboxWebhookVariables(config, secrets),
    SANDBOX_PORT: String(config.ports.sandbox),
    SANDBOX_WEBHOOK_URL: `${serviceAddresses(config).api}/processor-events`,
    DATA_DIR: config.dataDir,
  },
});

const planApi = (config: LauncherConfig, secrets: Secrets): ServicePlan => ({
  name: 'api',
  command: ['packages/cli/src/service/main', ...(config.isEmpty ? [] : ['--seed'])],
  env: {
    ...sharedVariables(config),
    ...sandboxWebhookVariables(config, secrets),
    ...pick(config.variables, API_VARIABLES),
    API_PORT: String(config.ports.api),
    SERVER_BASE_URL: serviceAddresses(config).server,
    SANDBOX_URL: serviceAddresses(config).sandbox,
    DATA_DIR: config.dataDir,
    SERVER_API_KEY: secrets.serverKey,
  },
});

function planDemo(config: LauncherConfig, secrets: Secrets): ServicePlan {
  const { server, api, sandbox } = serviceAddresses(config);
  return {
    name: 'demo',
    command: ['demo/main'],
    env: {
      ...sharedVariables(config),
      DEMO_PORT: String(config.ports.demo),
      CONNECT_SERVER_URL: server,
      CONNECT_API_URL: api,
      CARD_ORIGINS: config.usesStripe ? STRIPE_ORIGINS : sandbox,
      VIEWER_SECRET: secrets.viewer,
    },
  };
}

function planBff(config: LauncherConfig, secrets: Secrets, apiKey: string): ServicePlan {
  const { site, api, sandbox } = serviceAddresses(config);
  const { ports, variables } = config;
  const otherOrigins = Object.values(pick(variables, ['ALLOWED_ORIGINS']));
  return {
    name: 'server',
    command: ['packages/cli/src/server/main'],
    env: {
      ...sharedVariables(config),
      // Its forms name funds of the demo data.
      ...(!config.isEmpty && { CONNECT_CONFIG: programPath('demo/connect.config') }),
      ...(variables['CONNECT_CONFIG'] && { CONNECT_CONFIG: resolve(variables['CONNECT_CONFIG']) }),
      SERVER_PORT: String(ports.server),
      CONNECT_API_BASE: `${api}/api/v1`,
      SANDBOX_URL: sandbox,
      CONNECT_API_KEY: apiKey,
      SESSION_SECRET: secrets.session,
      VIEWER_SECRET: secrets.viewer,
      ALLOWED_ORIGINS: [site, `http://127.0.0.1:${ports.demo}`, ...otherOrigins].join(','),
    },
  };
}

/** Variables that only the API gets from the environment of the launcher. */
const API_VARIABLES = [
  'DATABASE_URL',
  'API_SECRET',
  'SMTP_URL',
  'MAIL_FROM',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
];

/** The secret with which the sandbox signs webhook events, and the API verifies them. */
const sandboxWebhookVariables = ({ usesStripe }: LauncherConfig, secrets: Secrets) =>
  usesStripe ? {} : { SANDBOX_WEBHOOK_SECRET: secrets.sandboxWebhook };

/** Variables that every service gets: a default log level, and the variables that are not private. */
const sharedVariables = ({ variables }: LauncherConfig): NodeJS.ProcessEnv => ({
  LOG_LEVEL: 'warn',
  ...Object.fromEntries(
    Object.entries(variables).filter(([name]) => !PRIVATE_VARIABLES.test(name)),
  ),
});

const pick = (variables: NodeJS.ProcessEnv, names: string[]) =>
  Object.fromEntries(
    names.filter((name) => name in variables).map((name) => [name, variables[name]]),
  );
