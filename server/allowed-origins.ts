import { ConnectError } from '@connect-embed/contract';
import { originMatcher } from '@connect-embed/contract/site-origin';
import type { HonoRequest, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { CachedList } from './cached-list.ts';
import type { Env } from './env.ts';
import type { ResolvedConfig } from './connect-config.ts';
import { silentLog } from './log.ts';
import type { Upstream } from './upstream.ts';

/**
 * How long browsers may cache a preflight, in seconds. Chromium caches it for two hours at most.
 */
const PREFLIGHT_SECONDS = 7200;

/**
 * The origins of pages that may embed: those of the configuration, and the allowed sites of the
 * dashboard (docs/decisions/0098-allowed-sites.md).
 */
export class AllowedOrigins {
  readonly #config: ResolvedConfig;
  readonly #isConfigured: (origin: string) => boolean;
  readonly #dashboardSites: CachedList<'allowed-sites'>;

  constructor(config: ResolvedConfig, upstream: Upstream) {
    this.#config = config;
    this.#isConfigured = originMatcher(config.origins);
    this.#dashboardSites = new CachedList('allowed-sites', config, upstream);
  }

  /**
   * Returns whether an origin may embed. An origin of the configuration needs no request to the API.
   *
   * @throws {ConnectError} the API's error if the dashboard's list was never fetched
   */
  async includes(origin: string): Promise<boolean> {
    return this.#isConfigured(origin) || originMatcher(await this.#dashboardOrigins())(origin);
  }

  /**
   * Lists all entries, also wildcards, for headers that name them. If the API fails and the dashboard's
   * list was never fetched, these are the entries of the configuration.
   */
  async list(): Promise<string[]> {
    const dashboardOrigins = await this.#dashboardOrigins().catch(() => []);
    return [...new Set([...this.#config.origins, ...dashboardOrigins])];
  }

  /**
   * Returns the origin of the requesting page if it may embed. Public routes use it to return more to
   * allowed pages.
   */
  async ofRequest(request: HonoRequest): Promise<string | undefined> {
    const origin = await this.#originOf(request);
    return origin !== undefined && (await this.includes(origin)) ? origin : undefined;
  }

  /**
   * Middlewares that reject requests from other origins, and answer CORS preflights.
   *
   * A request without `Origin` does not come from a page of another origin. `Origin: null` comes from
   * a sandboxed frame or a local file, which anyone can create. Neither kind of request can have an
   * allowed origin.
   */
  require(allowedMethod: 'POST' | 'GET' = 'POST'): MiddlewareHandler<Env>[] {
    const { log = silentLog } = this.#config;
    const checkOrigin: MiddlewareHandler<Env> = async (c, next) => {
      const isPreflight = c.req.header('access-control-request-method') !== undefined;
      if (c.req.method !== allowedMethod && !isPreflight) return await next();
      const origin = await this.#originOf(c.req);
      if (origin === undefined || !(await this.includes(origin))) {
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
      origin: async (origin) => ((await this.includes(origin)) ? origin : null),
      allowMethods: [allowedMethod],
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
  }

  /** The origin of the requesting page, allowed or not; undefined if the request names no page. */
  async #originOf(request: HonoRequest): Promise<string | undefined> {
    return request.header('origin') ?? (await this.#ownOrigin(request));
  }

  /**
   * Browsers send no `Origin` with a same-origin GET, so the origin follows from `Sec-Fetch-Site` and
   * the host.
   */
  async #ownOrigin(request: HonoRequest): Promise<string | undefined> {
    if (request.header('sec-fetch-site') !== 'same-origin') return undefined;
    const { host } = new URL(request.url); // The scheme may differ: a proxy in front of us may terminate TLS.
    const exact = (await this.list()).find((origin) => URL.parse(origin)?.host === host);
    return exact ?? ((await this.includes(`https://${host}`)) ? `https://${host}` : undefined);
  }

  async #dashboardOrigins(): Promise<string[]> {
    return (await this.#dashboardSites.get()).map(({ origin }) => origin);
  }
}

const ORIGIN_HELP =
  'If it is yours, add it under “Allowed sites” in the dashboard, to "origins" in connect.config.ts, or to ALLOWED_ORIGINS.';

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
