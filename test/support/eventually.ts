import { setTimeout as sleep } from 'node:timers/promises';

/** Generous for busy machines. The wait ends as soon as the attempt succeeds. */
const TIMEOUT_MS = 60_000;
const PAUSE_MS = 100;

/**
 * Repeats an attempt until it succeeds, for programs that need a moment to start.
 *
 * @throws the error of the last attempt, after a timeout
 */
export async function eventually<Result>(
  attempt: () => Promise<Result>,
  timeoutMs = TIMEOUT_MS,
): Promise<Result> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
