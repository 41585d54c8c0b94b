import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Env } from './env.ts';

/** Answers that hold every header already. */
const completeResponses = new WeakSet<Response>();

/**
 * Adds headers to whatever the answer will be; the answer's own come first.
 *
 * They wait as a plain record: put into `Headers` one by one and read out again, the fourteen of a
 * page cost as much as its credential.
 */
export function setResponseHeaders(
  c: Context<Env>,
  headers: Readonly<Record<string, string>>,
): void {
  c.set('carried', { ...c.get('carried'), ...headers });
}

/** Puts what is carried onto the answer, where its maker has not. */
export const applyResponseHeaders = createMiddleware<Env>(async (c, next) => {
  await next();
  if (completeResponses.has(c.res)) return;
  const { headers } = c.res;
  for (const [name, value] of Object.entries(c.get('carried') ?? {})) {
    if (!headers.has(name)) headers.set(name, value);
  }
});

/** Answers with JSON that is text already. */
export function respondWithJson(c: Context<Env>, json: string): Response {
  const headers = {
    ...c.get('carried'),
    'Request-Id': c.get('requestId'),
    'Content-Type': 'application/json',
  };
  const response = new Response(json, { headers });
  completeResponses.add(response);
  return response;
}
