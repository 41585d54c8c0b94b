import { ConnectError } from '@connect-embed/contract';
import {
  compressJson,
  errorHandler,
  limitBody,
  notFoundHandler,
  validate,
} from '@connect-embed/contract/hono';
import { listSecrets } from '@connect-embed/contract/secrets';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import { ConnectServerConfig, type ResolvedConfig } from './connect-config.ts';
import { createDeps, type Env } from './deps.ts';
import { describeError } from './log.ts';
import {
  formInQuery,
  formInToken,
  requireAllowedOrigin,
  type NameOf,
} from './guard/require-allowed-origin.ts';
import type { CreatePages } from './pages.ts';
import { logRequests } from './request-log.ts';
import { campaignRoutes } from './routes/campaigns.ts';
import { challengeRoutes } from './routes/challenges.ts';
import { componentSessionRoutes } from './routes/component-sessions.ts';
import { embedFormRoutes } from './routes/embed-form.ts';
import { embedSessionRoutes } from './routes/embed-sessions.ts';
import { formListRoutes } from './routes/form-list.ts';
import { healthzRoute, readyzRoute } from './routes/health.ts';
import { notPlatformError, oauthRoutes } from './routes/oauth.ts';
import { paymentIntentRoutes } from './routes/payment-intents.ts';
import { siteRequestRoutes } from './routes/site-requests.ts';
import { scriptRoutes } from './routes/scripts.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** A web-standard server: `server.fetch(request)`. */
export type ConnectServer = Hono<Env> & {
  /**
   * Ends the connection of an organization to this platform, if it is connected: revokes its approval at the API and
   * deletes the stored tokens.
   *
   * @throws {ConnectError} `not_found` if the server is not configured as a platform, `unavailable` if the API cannot
   *   be reached
   * @example await connect.disconnect('org_harbor');
   */
  disconnect: (organizationId: string) => Promise<void>;
  /**
   * Returns an access token of a connected organization that is valid for at least a minute, for the platform's own
   * calls of the API.
   *
   * @throws {ConnectError} `not_found` if the server is not configured as a platform, `forbidden` if the organization
   *   is not connected, `unavailable` if the API cannot be reached
   * @example new Connect({ apiBase, token: await connect.accessToken('org_harbor') })
   */
  accessToken: (organizationId: string) => Promise<string>;
};

/**
 * The backend-for-frontend (BFF): holds the API credential and issues short-lived session tokens to pages. It
 * can be mounted in any server that uses `Request` and `Response`.
 *
 * @param pages adds pages for donors, such as `givingPages()` of `@connect-embed/donor-pages/giving-page`
 * @throws {ConnectError} `invalid_request` naming the invalid field of the configuration
 */
export const createConnectServer = (
  options: ConnectServerConfig,
  pages?: CreatePages,
): ConnectServer => openConnectServer(options, pages).server;

/** Creates the server, and returns also its check of the API, for the report at the start. */
export function openConnectServer(options: ConnectServerConfig, pages?: CreatePages) {
  const config = validate(ConnectServerConfig, options, 'config');
  const deps = createDeps(config);
  if (!config.clientIp) {
    const message = 'clientIp is not set: attempts are not limited by IP address, only by form';
    config.log.warn({}, message);
  }
  const app = new Hono<Env>().basePath(config.basePath);

  app.use(requestId({ headerName: 'Request-Id' }), logRequests(config), responseHeaders);
  app.use(methodNotAllowed({ app, onMethodNotAllowed: rejectMethod }));
  // Sessions are compressed: they have no text that another page could choose.
  const { compressors } = config;
  const compressSession = compressors
    ? compressJson('POST', compressors)
    : compress({ encoding: 'gzip' });
  const postFrom = (nameOf: NameOf) => requireAllowedOrigin(deps, 'POST', nameOf);
  app.use('/embed-sessions', postFrom(formInQuery), limitBody, compressSession);
  app.route('/embed-sessions', embedSessionRoutes(deps));
  app.use('/challenges', postFrom(formInToken), limitBody);
  app.route('/challenges', challengeRoutes(deps));
  app.use('/payment-intents', postFrom(formInToken), limitBody);
  app.route('/payment-intents', paymentIntentRoutes(deps));
  app.use(
    '/campaigns/:id{.+}/progress',
    requireAllowedOrigin(deps, 'GET', (request) => request.param('id')),
  );
  app.route('/campaigns', campaignRoutes(deps));
  // Not about a form: on a platform, only the origins of the configuration are allowed.
  app.use(
    '/component-sessions',
    postFrom(() => undefined),
    limitBody,
    compressSession,
  );
  app.route('/component-sessions', componentSessionRoutes(deps));
  app.use('/webhooks', limitBody).route('/webhooks', webhookRoutes(deps));
  app.route('/embed-form', embedFormRoutes(deps));
  app.route('/forms', formListRoutes(deps));
  app.use('/site-requests', limitBody).route('/site-requests', siteRequestRoutes(deps));
  if (pages) app.route('/', pages(deps));
  app.route('/oauth', oauthRoutes(deps));
  app.route('/healthz', healthzRoute(deps));
  app.route('/readyz', readyzRoute(deps));
  app.route('/', scriptRoutes(deps));
  app.notFound(notFoundHandler);
  app.onError(errorHandler(logUnexpectedError(config)));
  const platform = () => {
    if (!deps.platform) throw notPlatformError();
    return deps.platform;
  };
  const server: ConnectServer = Object.assign(app, {
    disconnect: async (id: string) => await platform().disconnect(id),
    accessToken: async (id: string) => await platform().accessToken(id),
  });
  return { server, ping: () => deps.upstream.ping() };
}

/** Responds to a method that no route of the path handles: 405 and `Allow`. */
function rejectMethod(c: Context, methods: string[]): Response {
  const { method } = c.req;
  const allow = methods.join(', ');
  c.header('Allow', allow);
  if (method === 'OPTIONS') return new Response(null, { status: 204 });
  throw new ConnectError('method_not_allowed', `${method} is not supported here. Use ${allow}.`);
}

/** Most responses are for one visitor and must not be cached. The other routes set their own headers. */
const responseHeaders: MiddlewareHandler = async (c, next) => {
  c.header('Cache-Control', 'no-store');
  await securityHeaders(c, next);
};

const securityHeaders = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  overwrite: false, // Script routes set their own policy, because pages of any origin load scripts.
  strictTransportSecurity: false, // HSTS applies to the whole host, so the host decides.
});

const logUnexpectedError = (config: ResolvedConfig) => {
  const { apiKey, platform, sessionSecret, log } = config;
  const secrets = [apiKey, platform?.clientSecret, ...listSecrets(sessionSecret)];
  return (error: Error, c: Context) =>
    log.error(
      {
        request_id: (c as Context<Env>).var.requestId,
        ...describeError(error, ...secrets),
      },
      'unexpected error',
    );
};
