import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Env } from './env.ts';

/**
 * Collects headers for the response. A header that the handler sets itself takes precedence.
 *
 * The headers are collected in a plain object, because setting fourteen headers of a page one by one
 * in `Headers` takes as long as authenticating the request.
 */
export function setResponseHeaders(
  c: Context<Env>,
  headers: Readonly<Record<string, string>>,
): void {
  c.set('pendingHeaders', { ...c.get('pendingHeaders'), ...headers });
}

/** Adds the collected headers to the response, except those it already has. */
export const applyResponseHeaders = createMiddleware<Env>(async (c, next) => {
  await next();
  const { headers } = c.res;
  for (const [name, value] of Object.entries(c.get('pendingHeaders') ?? {})) {
    if (!headers.has(name)) headers.set(name, value);
  }
});
