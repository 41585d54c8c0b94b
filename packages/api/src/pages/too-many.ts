import type { Context } from 'hono';

/** Says when another attempt can be made, in the header and as a sentence. */
export function tooMany(c: Context, seconds: number): string {
  c.header('Retry-After', String(seconds));
  const minutes = Math.ceil(seconds / 60);
  return `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
}
