import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { OpenDatabase } from './db/database.ts';
import { createWorkDeps } from './work-deps.ts';
import { createWorkerApp } from './worker-app.ts';

/** What stands around work where nobody is answered. */
export function openWorker(config: Config, database: OpenDatabase, log: Logger) {
  const deps = createWorkDeps(config, database, log);
  return { deps, app: createWorkerApp(deps), end: () => {} };
}
