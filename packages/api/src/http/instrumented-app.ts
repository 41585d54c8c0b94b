import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { requestId } from 'hono/request-id';
import type { Logger } from 'pino';
import { handledRoute } from './handled-route.ts';
import { applyResponseHeaders } from './response-headers.ts';
import type { Env, BaseDeps } from './env.ts';
import { newId } from '../lib/id.ts';

/** Creates a Hono app that assigns a Request-Id to every request, measures its duration and logs it. */
export const createInstrumentedApp = ({ log, metrics }: BaseDeps) =>
  new Hono<Env>()
    .use(requestId({ headerName: 'Request-Id', limitLength: 64, generator: () => newId('req') }))
    .use(applyResponseHeaders)
    .use(metrics.measure)
    .use(logRequest(log));

/**
 * Logs one line per request, with the route's pattern and the credential's id. Tokens, query strings,
 * bodies and personal data are never logged.
 */
const logRequest = (log: Logger) =>
  createMiddleware<Env>(async (c, next) => {
    const startedAt = performance.now();
    await next();
    const event = c.get('stripeEvent');
    log.info(
      {
        request_id: c.get('requestId'),
        method: c.req.method,
        route: handledRoute(c),
        status: c.res.status,
        ms: Math.round(performance.now() - startedAt),
        // Undefined if the request was rejected before its token was checked.
        credential_id: (c.get('credential') as Env['Variables']['credential'] | undefined)?.id,
        ...(event && { event_id: event.id, event_type: event.type }),
      },
      'request',
    );
  });
