import { ConnectError } from '@connect-embed/contract';
import { originMatcher } from '@connect-embed/contract/site-origin';
import type { HonoRequest, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Env } from './app.ts';
import type { ResolvedConfig } from './connect-config.ts';
import { silentLog } from './log.ts';

/** Browsers cap this at two hours (Chromium) in any case. */
const PREFLIGHT_SECONDS = 7200;

/**
 * Lets only the pages of the allow-list in, and answers their preflights.
 *
 * A request without an origin comes from no page; `null` comes from a sandboxed frame or a file,
 * which anybody can make. Neither can be on the list.
 */
export const requireAllowedOrigin = (
  config: ResolvedConfig,
  allowed: 'POST' | 'GET' = 'POST',
): MiddlewareHandler<Env>[] => {
  const isAllowed = originMatcher(config.origins);
  const log = config.log ?? silentLog;
  const checkOrigin: MiddlewareHandler<Env> = async (c, next) => {
    const { method } = c.req;
    if (method !== allowed && !c.req.header('access-control-request-method')) return await next();
    const origin = originOf(c.req, config.origins);
    if (origin === undefined || !isAllowed(origin)) {
      c.header('Vary', 'Origin');
      log.warn(
        { origin: URL.parse(origin ?? '')?.origin ?? null },
        'a page that is not allowed asked',
      );
      throw originError(origin);
    }
    c.set('origin', origin);
    await next();
  };
  const respondToPreflight = cors({
    origin: (origin) => (isAllowed(origin) ? origin : null),
    allowMethods: [allowed],
    allowHeaders: ['Content-Type', 'Authorization', 'Idempotency-Key', 'Proof'],
    exposeHeaders: ['Request-Id', 'Retry-After'],
    maxAge: PREFLIGHT_SECONDS,
  });
  // Without the preflight's header an OPTIONS asks what there is: the route answers it.
  const handlePreflight: MiddlewareHandler<Env> = (c, next) =>
    c.req.method === 'OPTIONS' && !c.req.header('access-control-request-method')
      ? next().then(() => undefined)
      : respondToPreflight(c, next);
  return [checkOrigin, handlePreflight];
};

/** The origin of the page that asks, whether or not it may; undefined where no page is known to. */
const originOf = (request: HonoRequest, origins: readonly string[]) =>
  request.header('origin') ?? ownOrigin(request, origins);

/** The same if it may, for answers that anybody gets without what only such pages get. */
export function allowedOrigin(request: HonoRequest, config: ResolvedConfig): string | undefined {
  const origin = originOf(request, config.origins);
  return origin !== undefined && originMatcher(config.origins)(origin) ? origin : undefined;
}

/** A page that shares our address gets without an `Origin`: browsers send it across origins only. */
function ownOrigin(request: HonoRequest, origins: readonly string[]): string | undefined {
  if (request.header('sec-fetch-site') !== 'same-origin') return undefined;
  const { host } = new URL(request.url); // Its scheme may be that of a proxy.
  const exact = origins.find((origin) => URL.parse(origin)?.host === host);
  return exact ?? (originMatcher(origins)(`https://${host}`) ? `https://${host}` : undefined);
}

const ORIGIN_HELP =
  'If it is yours, add it to "origins" in connect.config.ts, or to ALLOWED_ORIGINS.';

function originError(origin: string | undefined): ConnectError {
  if (origin === undefined) {
    const message = 'Origin: is missing. Only pages may ask here, and browsers send it for them.';
    return new ConnectError('forbidden', message);
  }
  if (origin === 'null') {
    const message = 'Origin: null is a sandboxed frame or a file. Serve the page from an address.';
    return new ConnectError('forbidden', message);
  }
  return new ConnectError('forbidden', `Origin: ${origin} may not embed this. ${ORIGIN_HELP}`);
}
