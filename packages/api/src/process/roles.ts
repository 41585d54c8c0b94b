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
  const [createProcess, startWork] = await Promise.all([
    role === 'worker'
      ? import('./worker-process.ts').then(({ createWorkerProcess }) => createWorkerProcess)
      : import('./api-process.ts').then(({ createApiProcess }) => createApiProcess),
    role === 'api'
      ? undefined
      : import('./background-jobs.ts').then((jobs) => jobs.startBackgroundJobs),
  ]);
  return { createProcess, startWork };
}
