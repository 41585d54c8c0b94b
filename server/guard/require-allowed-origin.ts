import { ConnectError, SiteOrigin } from '@connect-embed/contract';
import { parseBearer } from '@connect-embed/contract/hono';
import type { Context, HonoRequest, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { decodeJwt } from 'jose';
import type { Deps, Env } from '../deps.ts';
import { parseFormName } from '../platform/form-name.ts';

/** How long browsers may cache a preflight. Chromium does for two hours at most. */
const PREFLIGHT_SECONDS = 7200;
const EXPOSED_HEADERS = ['Request-Id', 'Retry-After'];

/**
 * Returns the name of the form or campaign that a request is about. On a platform, the allowed sites of
 * its organization count, too.
 */
export type NameOf = (request: HonoRequest) => string | undefined;

/**
 * Middleware that rejects requests from origins that may not embed, and answers CORS preflights.
 *
 * A request without `Origin` does not come from a page of another origin. `Origin: null` comes from
 * a sandboxed frame or a local file, which anyone can create. Neither kind of request can have an
 * allowed origin.
 */
export function requireAllowedOrigin(
  { allowedOrigins, config }: Pick<Deps, 'allowedOrigins' | 'config'>,
  allowedMethod: 'POST' | 'GET',
  nameOf: NameOf,
): MiddlewareHandler<Env> {
  const addCorsHeaders = cors({
    origin: async (origin, c: Context<Env>) =>
      c.var.origin === origin || (await allowedOrigins.includes(origin)) ? origin : null,
    allowMethods: [allowedMethod],
    allowHeaders: ['Content-Type', 'Authorization', 'Idempotency-Key', 'Proof'],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
  return async (c, next) => {
    const isPreflight = c.req.header('access-control-request-method') !== undefined;
    if (!isPreflight && c.req.method === 'OPTIONS') return await next(); // The route returns `Allow`.
    if (!isPreflight && c.req.method !== allowedMethod) return await addCorsHeaders(c, next);
    const origin = await allowedOrigins.originOf(c.req);
    const name = config.platform && nameOf(c.req);
    const { organization } = parseFormName(name ?? '');
    const isAllowed = (site: string) =>
      isPreflight ? allowedOrigins.mayAsk(site) : allowedOrigins.includes(site, organization);
    const throwReadable = (error: unknown) => {
      letPageRead(c, origin!); // For example that the service is unavailable.
      throw error;
    };
    if (origin === undefined || !(await isAllowed(origin).catch(throwReadable))) {
      c.header('Vary', 'Origin');
      throw loggedOriginError(config, origin);
    }
    c.set('origin', origin);
    if (isPreflight) return await addCorsHeaders(c, next);
    letPageRead(c, origin);
    await next();
  };
}

/** Lets a page read the response. Hono's `cors` does the same, but copies every response to do so. */
function letPageRead(c: Context, origin: string): void {
  c.header('Access-Control-Allow-Origin', origin);
  c.header('Access-Control-Expose-Headers', EXPOSED_HEADERS.join(','));
  c.header('Vary', 'Origin');
}

/**
 * Middleware of a public response, which caches may keep for everybody. Only pages of other sites, which
 * may not embed, get an error, so that their owners see at once what is missing.
 *
 * A response from a cache is not checked, which does no harm: it contains nothing that is not public.
 */
export const rejectOtherSites =
  (deps: Deps, nameOf: NameOf): MiddlewareHandler =>
  async (c, next) => {
    const { allowedOrigins, config } = deps;
    c.header('Access-Control-Allow-Origin', '*'); // A page can read an error, too.
    c.header('Access-Control-Expose-Headers', EXPOSED_HEADERS.join(','));
    const { organization } = parseFormName((config.platform && nameOf(c.req)) ?? '');
    // Browsers send no origin with a same-origin GET.
    const isOwnPage = c.req.header('sec-fetch-site') === 'same-origin';
    const isPage = c.req.header('origin') !== undefined || isOwnPage;
    if (isPage && !(await allowedOrigins.ofRequest(c.req, organization))) {
      const origin = c.req.header('origin') ?? new URL(c.req.url).origin;
      await reportRefusedSite(deps, { origin, form: nameOf(c.req) }, deps.address(c));
      throw loggedOriginError(config, origin);
    }
    await next();
  };

/**
 * Notifies the owners of the organization that a website wanted to show their form: it may be theirs. A platform has
 * no organization of its own.
 */
async function reportRefusedSite(
  { config, sessions, setupLimits, upstream }: Deps,
  { origin, form }: { origin: string; form: string | undefined },
  address: string | undefined,
): Promise<void> {
  if (config.platform || !SiteOrigin.safeParse(origin).success) return;
  try {
    await setupLimits.consumeRefusedSite(origin, address);
    // Owners read the name, so it is not text that anybody can send.
    const isKnown = form !== undefined && (await sessions.list()).some(({ slug }) => slug === form);
    const report = { origin, refused: true, ...(isKnown && { form }) };
    await upstream.call((api) => api.createAllowedSiteRequest(report));
  } catch {
    // The page gets the same error, whether or not the owners were notified.
  }
}

function loggedOriginError({ log }: Deps['config'], origin: string | undefined) {
  const entry = { origin: URL.parse(origin ?? '')?.origin ?? null };
  log.warn(entry, 'request from an origin that is not allowed');
  return originError(origin);
}

/** The form in the query of a request. */
export const formInQuery = (request: HonoRequest) => request.query('form');

/**
 * The form for which the session token of a request was issued. The token is not verified here: it only
 * selects the list of sites, and the routes verify the same token with its origin.
 */
export function formInToken(request: HonoRequest): string | undefined {
  try {
    const { form } = decodeJwt(parseBearer(request.header('authorization')) ?? '');
    return typeof form === 'string' ? form : undefined;
  } catch {
    return undefined;
  }
}

/** Middleware of public routes: pages of allowed origins can read the response, and nobody is rejected. */
export const allowOriginsToRead = ({ allowedOrigins }: Pick<Deps, 'allowedOrigins'>) =>
  cors({
    origin: async (origin) => ((await allowedOrigins.includes(origin)) ? origin : null),
    allowMethods: ['GET'],
  });

const ORIGIN_HELP =
  'If it is yours, add it under “Allowed sites” in the dashboard, to "origins" in connect.config.ts, or to ALLOWED_ORIGINS. A WordPress site can ask for it under Settings › Connect Embed.';

export const originError = (origin: string | undefined) =>
  new ConnectError('forbidden', describeRefusal(origin), {
    code: 'origin_not_allowed',
    param: 'Origin',
  });

function describeRefusal(origin: string | undefined): string {
  if (origin === undefined) return 'Origin is missing. Only pages in a browser can use this route.';
  if (origin === 'null')
    return 'Origin is null, as in a sandboxed frame or a local file. Serve the page from a URL.';
  return `Origin ${origin} is not allowed. ${ORIGIN_HELP}`;
}
