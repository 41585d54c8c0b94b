import { join } from 'node:path';
import type { ServicePlan } from './service.ts';
import { API_SECRET, type InitialData } from './initial-data.ts';

/** Ports of the services; they stay the same over restarts. */
export interface Ports {
  api: number;
  worker: number;
  server: number;
  sandbox: number;
  postgres: number;
  webhooks: number;
}

/** Origin of the donors' page. */
export const SITE = 'http://localhost:8080';

interface ServiceContext {
  initialData: Pick<InitialData, 'serverKey'>;
  ports: Ports;
  dataDir: string;
  /** Undefined if the API runs its embedded PostgreSQL. */
  database: string | undefined;
  /** URL of the proxy between API and processor. */
  processorUrl: string;
  hasWorker?: boolean;
  sendsEvents?: boolean;
}

const localUrl = (port: number) => `http://localhost:${port}`;

/** Command and environment of each service, as in production. */
export function planServices(
  context: ServiceContext,
): Record<'sandbox' | 'api' | 'worker' | 'server', ServicePlan> {
  const { ports, dataDir, database, processorUrl, sendsEvents = true } = context;
  const shared = { LOG_LEVEL: 'warn', HOST: '127.0.0.1' };
  const api = {
    ...shared,
    API_SECRET,
    API_BASE_URL: localUrl(ports.api),
    SANDBOX_URL: processorUrl,
    WEBHOOK_ALLOW_HOSTS: `localhost:${ports.webhooks}`,
    DATA_DIR: dataDir,
    ...(database && { DATABASE_URL: database }),
  };
  const role = context.hasWorker || !sendsEvents ? 'api' : 'all';
  const main = 'packages/cli/src/service/main.ts';
  return {
    sandbox: {
      name: 'sandbox',
      command: ['packages/sandbox/src/main.ts'],
      env: {
        ...shared,
        DATA_DIR: dataDir,
        SANDBOX_PORT: String(ports.sandbox),
        SANDBOX_WEBHOOK_URL: sendsEvents ? `${localUrl(ports.api)}/processor-events` : '',
      },
      ready: `${localUrl(ports.sandbox)}/healthz`,
    },
    api: {
      name: 'api',
      command: [main, '--role', role],
      env: { ...api, API_PORT: String(ports.api) },
      ready: `${localUrl(ports.api)}/readyz`,
    },
    worker: {
      name: 'worker',
      command: [main, '--role', 'worker'],
      env: { ...api, API_PORT: String(ports.worker) },
      ready: `${localUrl(ports.worker)}/readyz`,
    },
    server: {
      name: 'server',
      command: ['packages/cli/src/server/main.ts'],
      env: {
        ...shared,
        SERVER_PORT: String(ports.server),
        CONNECT_API_BASE: `${localUrl(ports.api)}/api/v1`,
        SANDBOX_URL: processorUrl,
        CONNECT_API_KEY: context.initialData.serverKey,
        CONNECT_CONFIG: join(import.meta.dirname, 'forms.config.ts'),
        SESSION_SECRET: API_SECRET,
        ALLOWED_ORIGINS: SITE,
        TRUST_PROXY: '1', // Donors set their own IP address by `X-Forwarded-For`.
      },
      ready: `${localUrl(ports.server)}/readyz`,
    },
  };
}
