import {
  ConnectClient,
  ConnectError,
  createDonorHasher,
  type DonorHasher,
} from '@connect-embed/contract';
import { errorHandler, notFoundHandler, validate, limitBody } from '@connect-embed/contract/hono';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import { CampaignProgressCache } from './campaign-progress.ts';
import { ConnectServerConfig, type Permission, type ResolvedConfig } from './connect-config.ts';
import { FormSessions } from './form-sessions.ts';
import { DonationGuard } from './guard/donation-guard.ts';
import { describeError, silentLog } from './log.ts';
import { requireAllowedOrigin } from './allowed-origins.ts';
import { Platform } from './platform/platform.ts';
import { logRequests } from './request-log.ts';
import { campaigns } from './routes/campaigns.ts';
import { challenges } from './routes/challenges.ts';
import { componentSessions } from './routes/component-sessions.ts';
import { embed } from './routes/embed.ts';
import { embedSessions } from './routes/embed-sessions.ts';
import { healthz, readyz } from './routes/health.ts';
import { oauth } from './routes/oauth.ts';
import { paymentIntentStatus } from './routes/payment-intent-status.ts';
import { paymentIntents } from './routes/payment-intents.ts';
import { scripts } from './routes/scripts.ts';
import { webhooks } from './routes/webhooks.ts';
import { Upstream } from './upstream.ts';
import { createPermissionCheck, type PermissionCheck } from './viewer-permissions.ts';
import { VisitorTokens } from './visitor-tokens.ts';

/** What a request carries on its way through the routes. */
export interface Env {
  Variables: { requestId: string; origin: string; permission: Permission };
}

/** What the routes stand on. */
export interface Deps {
  config: ResolvedConfig;
  upstream: Upstream;
  sessions: FormSessions;
  campaigns: CampaignProgressCache;
  visitorTokens: VisitorTokens;
  guard: DonationGuard;
  /** Hashes what the API counts donors by: it never gets an address. */
  hashDonorKey: DonorHasher;
  permission: PermissionCheck;
  /** Absent where the server acts for one organization, with its key. */
  platform: Platform | undefined;
  now: () => number;
  /** The visitor's network address, where the host tells it. */
  address: (c: Context) => string | undefined;
}

/** Answers web-standard requests: `server.fetch(request)`. */
export type ConnectServer = Hono<Env>;

/** Whoever mounts this server may not know what is missing: all else works. */
const NO_CLIENT_IP_WARNING =
  'clientIp is not set: tries are not counted by network, so one address has the tries of a form';

const PAGE_POST_ROUTES = [
  '/embed-sessions',
  '/challenges',
  '/payment-intents',
  '/component-sessions',
];
const PUBLIC_GET_ROUTES = [
  '/oauth/start',
  '/oauth/callback',
  '/healthz',
  '/readyz',
  '/connect.js',
  '/embed/:form',
];

/**
 * The backend-for-frontend: holds the credential, and gives pages what they need in its place.
 *
 * Uses web APIs only, so that it can be mounted in any server that speaks `Request` and `Response`.
 *
 * @throws {ConnectError} `invalid_request` naming the field of the configuration that is wrong
 */
export function createConnectServer(options: ConnectServerConfig): ConnectServer {
  const config = validate(ConnectServerConfig, options, 'config');
  const deps = createDeps(config);
  if (!config.clientIp) config.log?.warn({}, NO_CLIENT_IP_WARNING);
  const app = new Hono<Env>().basePath(config.basePath);

  app.use(requestId({ headerName: 'Request-Id' }), logRequests(config.log), responseHeaders);
  for (const path of PAGE_POST_ROUTES) app.use(path, ...requireAllowedOrigin(config), limitBody);
  app.route('/embed-sessions', embedSessions(deps));
  app.route('/challenges', challenges(deps));
  app.route('/payment-intents', paymentIntents(deps));
  app.use('/payment-intents/:id', ...requireAllowedOrigin(config, 'GET'));
  app.route('/payment-intents', paymentIntentStatus(deps));
  app.use('/campaigns/:id/progress', ...requireAllowedOrigin(config, 'GET'));
  app.route('/campaigns', campaigns(deps));
  app.route('/component-sessions', componentSessions(deps));
  app.use('/webhooks', limitBody).route('/webhooks', webhooks(deps));
  for (const path of [...PAGE_POST_ROUTES, '/webhooks']) app.all(path, rejectOtherMethods('POST'));

  app.route('/embed', embed(deps));
  app.route('/oauth', oauth(deps));
  app.route('/healthz', healthz());
  app.route('/readyz', readyz(deps));
  app.route('/', scripts(deps));
  for (const path of [...PUBLIC_GET_ROUTES, '/campaigns/:id/progress'])
    app.all(path, rejectOtherMethods('GET, HEAD'));

  app.notFound(notFoundHandler);
  app.onError(errorHandler(logUnexpectedError(config)));
  return app;
}

function createDeps(config: ResolvedConfig): Deps {
  const now = config.now ?? Date.now;
  const platform = openPlatform(config, now);
  const upstream = new Upstream(config, platform);
  return {
    platform,
    config,
    upstream,
    now,
    sessions: new FormSessions(config, upstream),
    campaigns: new CampaignProgressCache(config, upstream),
    visitorTokens: new VisitorTokens(config.sessionSecret, now),
    guard: new DonationGuard({ ...config, now, fetch: config.fetch ?? fetch }),
    hashDonorKey: createDonorHasher(config.sessionSecret),
    permission: createPermissionCheck(config),
    address: (c) => config.clientIp?.(c.req.raw, c.env),
  };
}

function openPlatform(config: ResolvedConfig, now: () => number): Platform | undefined {
  const { platform, sessionSecret, apiBase, fetch } = config;
  if (!platform) return undefined;
  const organizationOf = async (token: string) => {
    const client = new ConnectClient({ apiBase, token, ...(fetch && { fetch }) });
    return (await client.getOrganization()).id;
  };
  return new Platform({ config: platform, secret: sessionSecret, now, organizationOf });
}

/** Answers are for one visitor and are nothing to draw; scripts say otherwise for themselves. */
const responseHeaders: MiddlewareHandler = async (c, next) => {
  c.header('Cache-Control', 'no-store');
  await securityHeaders(c, next);
};

const securityHeaders = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  overwrite: false, // Scripts are for pages of any origin.
  strictTransportSecurity: false, // The host's decision: it is about all of its pages.
});

/** What there is at a path for which no method above matched. */
const rejectOtherMethods = (methods: string) => (c: Context) => {
  c.header('Allow', methods);
  if (c.req.method === 'OPTIONS') return c.body(null, 204);
  throw new ConnectError(
    'method_not_allowed',
    `${c.req.method}: only ${methods} is answered here.`,
  );
};

const logUnexpectedError = (config: ResolvedConfig) => {
  const { apiKey, platform, sessionSecret, log = silentLog } = config;
  const secrets = [apiKey, platform?.clientSecret, sessionSecret].filter(
    (text) => text !== undefined,
  );
  return (error: Error, c: Context) =>
    log.error(
      {
        request_id: (c as Context<Env>).var.requestId,
        ...describeError(error, ...secrets),
      },
      'a request failed in a way that was not foreseen',
    );
};
