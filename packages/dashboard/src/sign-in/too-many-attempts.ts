import type { Context } from 'hono';

/**
 * Sets the `Retry-After` header of the response to too many attempts.
 *
 * @returns a message that says when the next attempt is possible
 */
export function tooManyAttempts(c: Context, seconds: number): string {
  c.header('Retry-After', String(seconds));
  const minutes = Math.ceil(seconds / 60);
  return `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
}
