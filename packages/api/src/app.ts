import { limitBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { authenticate } from './auth/authenticate.ts';
import { compressResponses } from './http/compress-json.ts';
import { enableCors } from './http/cors.ts';
import { handleErrors, type RenderErrorPage } from './http/error-handler.ts';
import { immutableFile, STYLE, STYLE_PATH } from './http/page-shell.ts';
import { describeApi } from './openapi/document.ts';
import type { Env } from './http/env.ts';
import type { Deps } from './deps.ts';
import { documentation, openapiJson } from './openapi/routes.ts';
import { lazy } from './lib/lazy.ts';
import { idempotent } from './http/idempotency.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { createInstrumentedApp } from './http/instrumented-app.ts';
import { allowedSites } from './resources/allowed-sites/allowed-sites.ts';
import { allowedSiteRequests } from './resources/allowed-sites/site-request-routes.ts';
import { campaigns } from './resources/campaigns.ts';
import { componentSessions } from './resources/component-sessions.ts';
import { donations } from './resources/donations/donations.ts';
import { donors } from './resources/donors.ts';
import { embedSessions } from './resources/embed-sessions.ts';
import { events } from './resources/events/event-routes.ts';
import { forms } from './resources/forms/forms.ts';
import { funds } from './resources/funds.ts';
import { enforceMasks } from './field-masking/enforce-masks.ts';
import { live } from './live/route.ts';
import { health } from './http/health.ts';
import { metrics } from './http/metrics-route.ts';
import { organization } from './resources/organization.ts';
import { formPictures, PICTURES_PATH } from './resources/forms/form-picture.ts';
import { logos } from './resources/organization-logo.ts';
import { paymentIntentStatus } from './resources/payment-intent-status.ts';
import { paymentIntents } from './resources/payment-intents.ts';
import { processingPayments } from './resources/processing-payments.ts';
import { payouts } from './resources/payouts.ts';
import { processorEvents } from './payments/stripe-events/route.ts';
import { recurringPlans } from './resources/recurring-plans.ts';
import { webhooks } from './resources/webhooks/webhooks.ts';
import { securityHeaders } from './http/security-headers.ts';

/** Pages that the process of the API also serves. The API itself imports none. */
export interface Pages {
  /** Routes that set their own security headers. */
  routes: readonly Hono<Env>[];
  /** Renders an error for a browser. */
  renderError: RenderErrorPage;
}

/** Creates the routes under `/api/v1`. */
export const createResourceRoutes = (deps: Deps) =>
  mountResources(deps, {
    '/donations': donations(deps),
    '/recurring-plans': recurringPlans(deps),
    '/donors': donors(deps),
    '/payouts': payouts(deps),
    '/events': events(deps),
    '/campaigns': campaigns(deps),
    '/forms': forms(deps),
    '/allowed-sites': allowedSites(deps),
    '/allowed-site-requests': allowedSiteRequests(deps),
    '/funds': funds(deps),
    '/organization': organization(deps),
    '/payment-intents': paymentIntentRoutes(deps),
    '/embed-sessions': embedSessions(deps),
    '/component-sessions': componentSessions(deps),
    '/live': live(deps),
    '/webhooks': webhooks(deps),
  });

export const paymentIntentRoutes = (deps: Deps) =>
  paymentIntents(deps).route('/', processingPayments(deps)).route('/', paymentIntentStatus(deps));

/** Mounts resources by path, each behind the rules that all requests to the API pass. */
export function mountResources(deps: Deps, routes: Record<string, Hono<Env>>) {
  const api = new Hono<Env>();
  enableCors(api);
  const rules = [authenticate(deps), compressResponses, enforceMasks, limitBody, idempotent(deps)];
  for (const [path, route] of Object.entries(routes)) {
    api.use(`${path}/*`, ...rules).route(path, route);
  }
  return api;
}

/**
 * Creates the Connect API as one Hono app, independent of the HTTP server.
 *
 * @param pages without them, errors are JSON for browsers too
 */
export function createApp(deps: Deps, pages?: Pages) {
  const api = createResourceRoutes(deps);
  const describe = lazy(() => describeApi(api.routes, deps.baseUrl));
  api.route('/openapi.json', openapiJson(describe));

  const app = createInstrumentedApp(deps);
  // Mounted before `securityHeaders`, because pages set their own headers: they load a style sheet
  // and submit forms.
  for (const routes of pages?.routes ?? []) app.route('/', routes);
  app
    .get(STYLE_PATH, (c) => c.body(STYLE, 200, immutableFile('text/css')))
    .route('/docs', documentation(describe, deps.baseUrl))
    .use(securityHeaders)
    .route('/', oauthRoutes(deps))
    .route('/logos', logos(deps))
    .route(PICTURES_PATH, formPictures(deps))
    .route('/', health(deps))
    .route('/metrics', metrics(deps))
    .route('/processor-events', processorEvents(deps))
    .route('/api/v1', api);
  return handleErrors(app, deps, pages?.renderError);
}
