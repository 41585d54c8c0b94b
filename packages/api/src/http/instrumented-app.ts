import { ConnectError } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import type { Logger } from 'pino';
import { handledRoute } from './handled-route.ts';
import type { Env, BaseDeps } from './env.ts';
import { newId } from '../lib/id.ts';

/**
 * Creates a Hono app that assigns a Request-Id to every request, measures its duration and logs it. A method that no
 * route of the path handles is 405.
 */
export function createInstrumentedApp({ log, metrics }: BaseDeps) {
  const app = new Hono<Env>();
  return app
    .use(requestId({ headerName: 'Request-Id', limitLength: 64, generator: () => newId('req') }))
    .use(metrics.measure)
    .use(logRequest(log))
    .use(methodNotAllowed({ app, onMethodNotAllowed: rejectMethod }));
}

function rejectMethod(c: Context, methods: string[]): never {
  c.header('Allow', methods.join(', '));
  throw new ConnectError('method_not_allowed', `${c.req.method} is not supported at this path.`);
}

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
