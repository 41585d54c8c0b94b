import type { Logger } from 'pino';
import type { Pages } from '../app.ts';
import type { Config } from '../config.ts';
import type { OpenDatabase } from '../db/database.ts';
import type { Deps } from '../deps.ts';

/**
 * Roles of a process. `api` serves requests; `worker` delivers webhooks, sends emails, reconciles and
 * cleans up; `all` does both.
 */
export const ROLES = ['api', 'worker', 'all'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/** Creates the pages that a process serves beside the API. */
type CreatePages = (config: Config, database: OpenDatabase, api: Deps) => Pages;

/** Loads the modules of pages, which only a process that serves requests needs. */
export type LoadPages = () => Promise<CreatePages>;

/**
 * Loads only the modules of a role. Half of the code is for signed-in users; without that code a worker
 * starts in half the time.
 *
 * All modules are loaded before the process serves requests, so that no request waits for an import.
 */
export async function loadRole(role: Role, loadPages: LoadPages) {
  const [createProcess, jobs] = await Promise.all([
    role === 'worker' ? loadWorker() : loadApi(loadPages),
    role === 'api' ? undefined : import('./background-jobs.ts'),
  ]);
  return { createProcess, startWork: jobs?.startBackgroundJobs };
}

async function loadApi(loadPages: LoadPages) {
  const [{ createDeps }, { createApp }, createPages] = await Promise.all([
    import('./deps.ts'),
    import('../app.ts'),
    loadPages(),
  ]);
  return (config: Config, database: OpenDatabase, log: Logger) => {
    const deps = createDeps(config, database, log);
    const app = createApp(deps, createPages(config, database, deps));
    return { deps, app, closeStreams: () => deps.liveStreams.stop() };
  };
}

async function loadWorker() {
  const { createWorkerDeps, createWorkerApp } = await import('./worker.ts');
  return (config: Config, database: OpenDatabase, log: Logger) => {
    const deps = createWorkerDeps(config, database, log);
    return { deps, app: createWorkerApp(deps), closeStreams: () => {} };
  };
}
