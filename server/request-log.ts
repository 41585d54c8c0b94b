import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Env } from './env.ts';
import { silentLog, type Log } from './log.ts';

/**
 * Middleware that logs one line per request.
 *
 * Logs the route pattern, not the path: paths, queries, headers and bodies can contain tokens or
 * personal data.
 */
export const logRequests =
  (log: Log = silentLog): MiddlewareHandler<Env> =>
  async (c, next) => {
    const start = performance.now();
    await next();
    const { status } = c.res;
    const entry = {
      request_id: c.var.requestId,
      method: c.req.method,
      route: routePath(c, -1),
      status,
      ms: Math.round(performance.now() - start),
    };
    log[status >= 500 ? 'warn' : 'info'](entry, 'request');
  };
