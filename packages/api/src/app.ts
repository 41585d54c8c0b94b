import { limitBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import type { Logger } from 'pino';
import { authenticate } from './auth/authenticate.ts';
import type { Credential } from './auth/credential.ts';
import { limitRate, type RateLimiter } from './auth/rate-limit.ts';
import { browsersMayCall } from './browsers-may-call.ts';
import type { Db } from './db/database.ts';
import { answerFailure, answerUnmatched } from './failure.ts';
import { describeApi } from './openapi/document.ts';
import { documentation, openapiJson } from './openapi/routes.ts';
import { hosted } from './hosted/hosted.ts';
import { idempotent } from './idempotency.ts';
import type { Metrics } from './metrics.ts';
import { newId } from './id.ts';
import type { Authorization } from './oauth/authorization.ts';
import { oauth } from './oauth/routes.ts';
import { pages } from './pages/pages.ts';
import type { Processor } from './processor.ts';
import { logRequest } from './request-log.ts';
import { campaigns } from './routes/campaigns.ts';
import { componentSessions } from './routes/component-sessions.ts';
import { donations } from './routes/donations.ts';
import { donors } from './routes/donors.ts';
import { embedSessions } from './routes/embed-sessions.ts';
import { events } from './routes/events.ts';
import { funds } from './routes/funds.ts';
import { health } from './routes/health.ts';
import { metrics } from './routes/metrics.ts';
import { organization } from './routes/organization.ts';
import { paymentIntents } from './routes/payment-intents.ts';
import { payouts } from './routes/payouts.ts';
import { processorEvents } from './routes/processor-events.ts';
import { webhooks } from './routes/webhooks.ts';
import type { Seal } from './seal.ts';
import type { People } from './users/people.ts';
import type { SignInAttempts } from './users/sign-in-attempts.ts';
import type { Webhooks } from './webhooks/open.ts';
import { guardAnswers } from './guard-answers.ts';

/** Everything that the routes need from outside; there is no other way in. */
export interface Deps {
  db: Db;
  processor: Processor;
  rateLimiter: RateLimiter;
  /** Seals `next_cursor`. */
  cursors: Seal;
  /** Seals the answers that are kept for repetitions. */
  answers: Seal;
  /** Seals what a visitor of a hosted page holds. */
  visitors: Seal;
  /** Folder of the built `connect.js`, for hosted pages. */
  scriptsDir: string;
  webhooks: Webhooks;
  people: People;
  attempts: SignInAttempts;
  authorization: Authorization;
  metrics: Metrics;
  /** Opens `/metrics`. */
  metricsToken: string | undefined;
  /** Where others reach this service. */
  baseUrl: string;
  log: Logger;
}

/** What middleware leaves for a handler. */
export interface Env {
  Variables: {
    requestId: string;
    credential: Credential;
    /** The processor's event that a request brought, for the log. */
    event?: { id: string; type: string };
  };
}

/** The whole service as one function from Request to Response. */
export function createApp(deps: Deps) {
  const routes = {
    '/donations': donations(deps),
    '/donors': donors(deps),
    '/payouts': payouts(deps),
    '/events': events(deps),
    '/campaigns': campaigns(deps),
    '/funds': funds(deps),
    '/organization': organization(deps),
    '/payment-intents': paymentIntents(deps),
    '/embed-sessions': embedSessions(deps),
    '/component-sessions': componentSessions(deps),
    '/webhooks': webhooks(deps),
  };

  const api = new Hono<Env>();
  browsersMayCall(api);
  for (const [path, route] of Object.entries(routes)) {
    // In this order: what is cheap to refuse is refused first.
    const rules = [authenticate(deps), limitRate(deps.rateLimiter), limitBody, idempotent(deps)];
    api.use(`${path}/*`, ...rules).route(path, route);
  }

  const description = describeApi(api.routes, deps.baseUrl);
  api.route('/openapi.json', openapiJson(description));

  const app = observed(deps)
    .route('/', pages(deps)) // Pages guard themselves: they load a style sheet and send forms.
    .route('/docs', documentation(description))
    .route('/embed', hosted(deps))
    .use(guardAnswers)
    .route('/', oauth(deps))
    .route('/', health(deps))
    .route('/metrics', metrics(deps))
    .route('/processor-events', processorEvents(deps))
    .route('/api/v1', api);
  return app.onError(answerFailure(deps.log)).notFound(answerUnmatched(app));
}

/** What a process shows that only works in the background: that it lives, and how it fares. */
export function createWorkerApp(deps: Deps) {
  const app = observed(deps)
    .use(guardAnswers)
    .route('/', health(deps))
    .route('/metrics', metrics(deps));
  return app.onError(answerFailure(deps.log)).notFound(answerUnmatched(app));
}

/** Every request has a name, a line in the log, and a place in the metrics. */
const observed = ({ log, metrics }: Deps) =>
  new Hono<Env>()
    .use(requestId({ headerName: 'Request-Id', limitLength: 64, generator: () => newId('req') }))
    .use(metrics.measure)
    .use(logRequest(log));
