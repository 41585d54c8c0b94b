import type { Logger } from 'pino';
import { createApp } from '../app.ts';
import type { Config } from '../config.ts';
import type { OpenDatabase } from '../db/database.ts';
import { createDeps } from './deps.ts';

/** Creates the dependencies and the HTTP app of a process that handles requests (roles `api` and `all`). */
export function createApiProcess(config: Config, database: OpenDatabase, log: Logger) {
  const deps = createDeps(config, database, log);
  return { deps, app: createApp(deps), closeStreams: () => deps.liveStreams.stop() };
}
