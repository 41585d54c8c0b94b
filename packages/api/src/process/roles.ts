import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { OpenDatabase } from '../db/database.ts';

/**
 * Roles of a process. `api` serves requests; `worker` delivers webhooks, sends emails, reconciles and
 * cleans up; `all` does both.
 */
export const ROLES = ['api', 'worker', 'all'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/**
 * Loads only the modules of a role. Half of the code is for signed-in users; without that code a worker
 * starts in half the time.
 *
 * All modules are loaded before the process serves requests, so that no request waits for an import.
 */
export async function loadRole(role: Role) {
  const [createProcess, jobs] = await Promise.all([
    role === 'worker' ? loadWorker() : loadApi(),
    role === 'api' ? undefined : import('./background-jobs.ts'),
  ]);
  return { createProcess, startWork: jobs?.startBackgroundJobs };
}

async function loadApi() {
  const [{ createDeps }, { createApp }] = await Promise.all([
    import('./deps.ts'),
    import('../app.ts'),
  ]);
  return (config: Config, database: OpenDatabase, log: Logger) => {
    const deps = createDeps(config, database, log);
    return { deps, app: createApp(deps), closeStreams: () => deps.liveStreams.stop() };
  };
}

async function loadWorker() {
  const { createWorkerDeps, createWorkerApp } = await import('./worker.ts');
  return (config: Config, database: OpenDatabase, log: Logger) => {
    const deps = createWorkerDeps(config, database, log);
    return { deps, app: createWorkerApp(deps), closeStreams: () => {} };
  };
}
