import { availableParallelism } from 'node:os';
import { ConnectError } from '@connect-embed/contract';
import { hashPassword, verifyPassword } from 'better-auth/crypto';

/**
 * How many passwords are hashed at the same time. Scrypt runs in Node's pool of four threads, which also reads
 * files and resolves host names. One thread stays free, and one core for all other requests.
 */
const CONCURRENCY = Math.min(3, Math.max(1, availableParallelism() - 1));
/** Length of the queue. A hash takes about 70 ms, so a password waits about a second at most. */
const MAX_QUEUED = 16 * CONCURRENCY;
const RETRY_AFTER_SECONDS = 2;

/** Thrown when the queue of password hashes is full. */
export class PasswordQueueFullError extends ConnectError {
  constructor() {
    const message = 'Too many sign-ins right now. Try again in a moment.';
    super('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

/**
 * The scrypt functions of Better Auth behind a short queue. A flood of sign-ins is rejected
 * immediately and does not slow down other requests.
 *
 * @throws {PasswordQueueFullError} from both functions, when the queue is full
 */
export function openPasswordHashing() {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function enqueue<Result>(operation: () => Promise<Result>): Promise<Result> {
    if (running < CONCURRENCY) running += 1;
    else if (waiting.length < MAX_QUEUED)
      await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new PasswordQueueFullError();
    try {
      return await operation();
    } finally {
      // First in, first out.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    hash: (password: string) => enqueue(() => hashPassword(password)),
    verify: (pair: { hash: string; password: string }) => enqueue(() => verifyPassword(pair)),
  };
}
