import { availableParallelism } from 'node:os';
import { ConnectError } from '@connect-embed/contract';
import { hashPassword, verifyPassword } from 'better-auth/crypto';

/**
 * Passwords that are hashed at once. Scrypt runs in Node's pool of four threads, which also reads files and
 * looks names up: one thread of it stays free, and one core for the requests of everybody else.
 */
const CONCURRENCY = Math.min(3, Math.max(1, availableParallelism() - 1));
/** Passwords that wait, at some 70 ms each: whoever is let in waits about a second at most. */
const MOST_WAITING = 16 * CONCURRENCY;
const RETRY_AFTER_SECONDS = 2;

/** The queue of passwords is full. */
export class PasswordsBusy extends ConnectError {
  constructor() {
    const message = 'Too many people are signing in at the moment.';
    super('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

/**
 * The library's scrypt behind a short queue: a flood of sign-ins is turned away at once instead of slowing down
 * everything else.
 *
 * @throws {PasswordsBusy} when the queue is full; both functions
 */
export function openPasswordHashing() {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    if (running < CONCURRENCY) running += 1;
    else if (waiting.length < MOST_WAITING) await new Promise<void>((done) => waiting.push(done));
    else throw new PasswordsBusy();
    try {
      return await act();
    } finally {
      // The place passes to whoever waits longest.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    hash: (password: string) => inTurn(() => hashPassword(password)),
    verify: (pair: { hash: string; password: string }) => inTurn(() => verifyPassword(pair)),
  };
}
