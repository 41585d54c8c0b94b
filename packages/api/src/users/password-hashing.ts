import { availableParallelism } from 'node:os';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { PasswordQueueFullError } from './errors.ts';

/**
 * Maximum number of passwords that are hashed at the same time. Scrypt runs in Node's pool of four
 * threads, which also reads files and resolves host names. One thread stays free for these tasks,
 * and one core for all other requests.
 */
const CONCURRENCY = Math.min(3, Math.max(1, availableParallelism() - 1));
/**
 * Maximum number of passwords in the queue. A hash takes about 70 ms, so a password waits about a
 * second at most.
 */
const MAX_QUEUED = 16 * CONCURRENCY;

/**
 * Creates the functions that hash and verify passwords with the scrypt functions of Better Auth. A
 * short queue limits simultaneous hashes: a flood of sign-ins is rejected immediately and does not
 * slow down other requests.
 *
 * @throws {PasswordQueueFullError} from both functions, when the queue is full
 */
export function openPasswordHashing() {
  const waitingOperations: (() => void)[] = [];
  let runningCount = 0;

  async function enqueue<Result>(operation: () => Promise<Result>): Promise<Result> {
    if (runningCount < CONCURRENCY) runningCount += 1;
    else if (waitingOperations.length < MAX_QUEUED)
      await new Promise<void>((resolve) => waitingOperations.push(resolve));
    else throw new PasswordQueueFullError();
    try {
      return await operation();
    } finally {
      // The operation that has waited longest runs next.
      const next = waitingOperations.shift();
      if (next) next();
      else runningCount -= 1;
    }
  }

  return {
    hash: (password: string) => enqueue(() => hashPassword(password)),
    verify: (pair: { hash: string; password: string }) => enqueue(() => verifyPassword(pair)),
  };
}
