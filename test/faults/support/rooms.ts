import { join } from 'node:path';
import type { RoomPlan } from './room.ts';
import { API_SECRET, type Template } from './template.ts';

/** Every room keeps its port over all its lives. */
export interface Ports {
  api: number;
  worker: number;
  server: number;
  sandbox: number;
  postgres: number;
  notices: number;
}

/** Where the page stands that the donors use. */
export const SITE = 'http://localhost:8080';

interface Place {
  template: Template;
  ports: Ports;
  dataDir: string;
  /** Undefined where the API runs its own. */
  database: string | undefined;
  /** Between the API and the processor. */
  wire: string;
  worker?: boolean;
  reports?: boolean;
}

const URL_OF = (port: number) => `http://localhost:${port}`;

/** How each room is started, as in production: each a process, told everything by its environment. */
export function planRooms(place: Place): Record<'sandbox' | 'api' | 'worker' | 'server', RoomPlan> {
  const { ports, dataDir, database, wire, reports = true } = place;
  const shared = { LOG_LEVEL: 'warn', HOST: '127.0.0.1' };
  const api = {
    ...shared,
    API_SECRET,
    API_BASE_URL: URL_OF(ports.api),
    SANDBOX_URL: wire,
    WEBHOOK_ALLOW_HOSTS: `localhost:${ports.notices}`,
    DATA_DIR: dataDir,
    ...(database && { DATABASE_URL: database }),
  };
  const role = place.worker || !reports ? 'api' : 'all';
  const main = 'packages/api/src/main.ts';
  return {
    sandbox: {
      name: 'sandbox',
      command: ['packages/sandbox/src/main.ts'],
      env: {
        ...shared,
        DATA_DIR: dataDir,
        SANDBOX_PORT: String(ports.sandbox),
        SANDBOX_WEBHOOK_URL: reports ? `${URL_OF(ports.api)}/processor-events` : '',
      },
      ready: `${URL_OF(ports.sandbox)}/healthz`,
    },
    api: {
      name: 'api',
      command: [main, '--role', role],
      env: { ...api, API_PORT: String(ports.api) },
      ready: `${URL_OF(ports.api)}/readyz`,
    },
    worker: {
      name: 'worker',
      command: [main, '--role', 'worker'],
      env: { ...api, API_PORT: String(ports.worker) },
      ready: `${URL_OF(ports.worker)}/readyz`,
    },
    server: {
      name: 'server',
      command: ['server/main.ts'],
      env: {
        ...shared,
        SERVER_PORT: String(ports.server),
        CONNECT_API_BASE: `${URL_OF(ports.api)}/api/v1`,
        CONNECT_API_KEY: place.template.serverKey,
        CONNECT_CONFIG: join(import.meta.dirname, 'forms.config.ts'),
        SESSION_SECRET: API_SECRET,
        ALLOWED_ORIGINS: SITE,
        TRUST_PROXY: '1', // Donors say which address they have.
      },
      ready: `${URL_OF(ports.server)}/readyz`,
    },
  };
}
