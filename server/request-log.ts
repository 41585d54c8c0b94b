import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { ResolvedConfig } from './connect-config.ts';
import type { Env } from './deps.ts';

/**
 * Middleware that logs one line per request, and calls `onRequest`.
 *
 * Both get the route pattern, not the path: paths, queries, headers and bodies can contain tokens or
 * personal data.
 */
export const logRequests =
  ({ log, onRequest }: Pick<ResolvedConfig, 'log' | 'onRequest'>): MiddlewareHandler<Env> =>
  async (c, next) => {
    const start = performance.now();
    await next();
    const { status } = c.res;
    const { method } = c.req;
    const route = routePath(c, -1);
    const ms = performance.now() - start;
    onRequest?.({ method, route, status, seconds: ms / 1000 });
    const entry = { request_id: c.get('requestId'), method, route, status, ms: Math.round(ms) };
    log[status >= 500 ? 'warn' : 'info'](entry, 'request');
  };
