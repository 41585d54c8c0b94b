import { ConnectError } from '@connect-embed/contract';
import { originMatcher } from '@connect-embed/contract/site-origin';
import type { HonoRequest, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Env } from './env.ts';
import type { ResolvedConfig } from './connect-config.ts';
import { silentLog } from './log.ts';

/**
 * How long browsers may cache a preflight, in seconds. Chromium caches it for two hours at most.
 */
const PREFLIGHT_SECONDS = 7200;

/**
 * Middlewares of the BFF that limit requests to the allow-list of origins and answer CORS
 * preflights.
 *
 * A request without `Origin` does not come from a page of another origin. `Origin: null` comes from
 * a sandboxed frame or a local file, which anyone can create. Neither kind of request can have an
 * allowed origin.
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
        'request from an origin that is not allowed',
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
  // An OPTIONS request without `Access-Control-Request-Method` is not a preflight; the route
  // returns `Allow`.
  const handlePreflight: MiddlewareHandler<Env> = (c, next) =>
    c.req.method === 'OPTIONS' && !c.req.header('access-control-request-method')
      ? next().then(() => undefined)
      : respondToPreflight(c, next);
  return [checkOrigin, handlePreflight];
};

/** The origin of the requesting page, allowed or not; undefined if the request names no page. */
const originOf = (request: HonoRequest, origins: readonly string[]) =>
  request.header('origin') ?? ownOrigin(request, origins);

/**
 * The origin of the requesting page if it is on the allow-list. Public routes use it to return more
 * to allowed pages.
 */
export function allowedOrigin(request: HonoRequest, config: ResolvedConfig): string | undefined {
  const origin = originOf(request, config.origins);
  return origin !== undefined && originMatcher(config.origins)(origin) ? origin : undefined;
}

/**
 * Browsers send no `Origin` with a same-origin GET, so the origin follows from `Sec-Fetch-Site` and
 * the host.
 */
function ownOrigin(request: HonoRequest, origins: readonly string[]): string | undefined {
  if (request.header('sec-fetch-site') !== 'same-origin') return undefined;
  const { host } = new URL(request.url); // The scheme may differ: a proxy in front of us may terminate TLS.
  const exact = origins.find((origin) => URL.parse(origin)?.host === host);
  return exact ?? (originMatcher(origins)(`https://${host}`) ? `https://${host}` : undefined);
}

const ORIGIN_HELP =
  'If it is yours, add it to "origins" in connect.config.ts or to ALLOWED_ORIGINS.';

function originError(origin: string | undefined): ConnectError {
  if (origin === undefined) {
    const message = 'Origin is missing. Only pages in a browser can use this route.';
    return notAllowedError(message);
  }
  if (origin === 'null') {
    const message =
      'Origin is null, as in a sandboxed frame or a local file. Serve the page from a URL.';
    return notAllowedError(message);
  }
  return notAllowedError(`Origin ${origin} is not allowed. ${ORIGIN_HELP}`);
}

const notAllowedError = (message: string) =>
  new ConnectError('forbidden', message, { code: 'origin_not_allowed', param: 'Origin' });
