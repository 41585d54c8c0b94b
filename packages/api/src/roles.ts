/** `api` answers, `worker` delivers, reconciles and cleans, `all` does both. */
export const ROLES = ['api', 'worker', 'all'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/**
 * Loads what a role needs and nothing else: half of what the service consists of is for people who
 * sign in, and a worker is back in half the time without it.
 *
 * All of it, before anything is served, so that no request is the first to find out what is missing.
 */
export async function loadRole(role: Role) {
  const [createProcess, startWork] = await Promise.all([
    role === 'worker'
      ? import('./worker-process.ts').then(({ createWorkerProcess }) => createWorkerProcess)
      : import('./api-process.ts').then(({ createApiProcess }) => createApiProcess),
    role === 'api'
      ? undefined
      : import('./background-jobs.ts').then((work) => work.startBackgroundJobs),
  ]);
  return { createProcess, startWork };
}
