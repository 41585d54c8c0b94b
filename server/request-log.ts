import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Env } from './app.ts';
import { silentLog, type Log } from './log.ts';

/**
 * Writes one line a request.
 *
 * It names the route, not the path: a path, a query, a header or a body may carry a token or
 * somebody's address, so none of them is written.
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
