import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { OpenDatabase } from '../db/database.ts';
import { createWorkerDeps } from './worker-deps.ts';
import { createWorkerApp } from './worker-app.ts';

/** Creates the dependencies and the HTTP app of a process with the role `worker`. */
export function createWorkerProcess(config: Config, database: OpenDatabase, log: Logger) {
  const deps = createWorkerDeps(config, database, log);
  return { deps, app: createWorkerApp(deps), closeStreams: () => {} };
}
