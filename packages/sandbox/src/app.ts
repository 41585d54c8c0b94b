import { isLocalHost, unknownHostMessage } from '@connect-embed/contract/local-host';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import type { Config } from './config.ts';
import { credential, requestId } from './credential.ts';
import { isStorageError } from './database.ts';
import type { Deps, Env } from './env.ts';
import { injectFaults } from './fault-injection.ts';
import { accountLinks, accounts, ownAccount } from './routes/accounts.ts';
import { browser } from './routes/browser.ts';
import { products } from './routes/catalog.ts';
import { sandboxAdmin } from './routes/sandbox-admin.ts';
import { customers } from './routes/customers.ts';
import { home } from './home/home-page.ts';
import { invoicePayments, invoices } from './routes/invoices.ts';
import { paymentIntents } from './routes/payment-intents.ts';
import { paymentMethodDomains } from './routes/payment-method-domains.ts';
import { paymentMethods } from './routes/payment-methods.ts';
import { redirectPages } from './routes/redirect.ts';
import { balance, payouts } from './routes/payouts.ts';
import { refunds } from './routes/refunds.ts';
import { setupIntents } from './routes/setup-intents.ts';
import { webhookEndpoints } from './routes/webhook-endpoints.ts';
import { onboarding } from './routes/onboarding.ts';
import { subscriptions } from './routes/subscriptions.ts';
import { limitRequests } from './rate-limit.ts';
import { filterBy, listAndRetrieve, updateMetadata } from './resource-routes.ts';
import { text } from './params.ts';
import { StripeError } from './stripe-error.ts';

/** Largest request body in bytes; requests to Stripe's API are much smaller. */
const MAX_BODY_BYTES = 256 * 1024;

/** Stripe does not return the payout of a balance transaction, but can filter a list by it. */
const BALANCE_TRANSACTION_FILTERS = {
  ...filterBy('source'),
  payout: { read: text, field: 'payout', hidden: true },
};

/** Creates the HTTP application of the sandbox, the local stand-in for Stripe. */
export function createApp(
  deps: Deps,
  { allowedHosts, requestsPerSecond }: Pick<Config, 'allowedHosts' | 'requestsPerSecond'>,
) {
  return new Hono<Env>()
    .use(async (c, next) => {
      c.set('deps', deps);
      await next();
    })
    .use(logRequest)
    .use(async (c, next) => {
      const { hostname } = new URL(c.req.url);
      if (allowedHosts && !isLocalHost(hostname, allowedHosts)) throw unknownHostError(hostname);
      await next();
    })
    .use('/v1/*', requestId)
    .use('/v1/*', allowBrowsers)
    .use('/v1/*', limitBody)
    .use('/v1/*', injectFaults)
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .route('/v1', stripeApi(requestsPerSecond))
    .route('/', browser())
    .route('/sandbox', sandboxAdmin())
    .route('/onboarding', onboarding())
    .route('/redirect', redirectPages())
    .route('/', home())
    .notFound((c) => errorResponse(c, unrecognizedUrlError(c.req.method, c.req.path)))
    .onError(handleError);
}

/** The part of Stripe's API that the sandbox simulates. */
const stripeApi = (requestsPerSecond: number) =>
  new Hono<Env>()
    .use(credential)
    .use(limitRequests(requestsPerSecond))
    .route('/payment_intents', paymentIntents())
    .route(
      '/charges',
      listAndRetrieve('charge', filterBy('payment_intent')).post('/:id', updateMetadata('charge')),
    )
    .route('/refunds', refunds())
    .route(
      '/balance_transactions',
      listAndRetrieve('balance_transaction', BALANCE_TRANSACTION_FILTERS),
    )
    .route('/payment_methods', paymentMethods())
    .route('/setup_intents', setupIntents())
    .route('/customers', customers())
    .route('/products', products())
    .route('/subscriptions', subscriptions())
    .route('/invoices', invoices())
    .route('/invoice_payments', invoicePayments())
    .route('/payouts', payouts())
    .route('/balance', balance())
    .route('/disputes', listAndRetrieve('dispute', filterBy('charge', 'payment_intent')))
    .route('/events', listAndRetrieve('event', filterBy('type')))
    .route('/accounts', accounts())
    .route('/account', ownAccount())
    .route('/account_links', accountLinks())
    .route('/payment_method_domains', paymentMethodDomains())
    .route('/webhook_endpoints', webhookEndpoints());

/** Logs only the path: the query may contain a client secret, the body a card number. */
const logRequest = createMiddleware<Env>(async (c, next) => {
  const start = performance.now();
  await next();
  c.var.deps.log(
    `${c.req.method} ${c.req.path} ${c.res.status} ${Math.round(performance.now() - start)} ms`,
  );
});

function handleError(error: Error, c: Context<Env>): Response {
  if (error instanceof StripeError) return errorResponse(c, error);
  if (error instanceof HTTPException) return error.getResponse();
  c.var.deps.log(error.stack ?? String(error), 'error');
  const message = isStorageError(error)
    ? `The sandbox could not save the request: ${error.message}. Nothing was changed. Is the disk full?`
    : 'The sandbox failed. See its log.';
  return errorResponse(c, new StripeError(500, { type: 'api_error', message }));
}

function errorResponse(c: Context<Env>, error: StripeError): Response {
  if (error.status === 401) c.header('www-authenticate', 'Basic realm="Stripe"');
  return c.json(error, error.status);
}

const unknownHostError = (hostname: string) =>
  new StripeError(403, { type: 'invalid_request_error', message: unknownHostMessage(hostname) });

const unrecognizedUrlError = (method: string, path: string) =>
  new StripeError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). The sandbox simulates only a part of Stripe; see packages/sandbox/README.md.`,
  });

const answerPreflight = cors({ origin: '*', maxAge: 300 });

/** Lets pages of all origins call the API. For other requests, Hono's middleware would copy the response. */
const allowBrowsers = createMiddleware<Env>(async (c, next) => {
  if (c.req.method === 'OPTIONS') return await answerPreflight(c, next);
  await next();
  c.res.headers.set('Access-Control-Allow-Origin', '*');
  c.res.headers.set('Access-Control-Expose-Headers', 'Request-Id,Idempotent-Replayed');
  return undefined;
});

const limitStream = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new StripeError(413, {
      type: 'invalid_request_error',
      message: 'The request body is too large.',
    });
  },
});

/** Hono's check makes a stream of every body. It is only needed for a body whose length is unknown. */
const limitBody = createMiddleware<Env>((c, next) => {
  if (c.req.method === 'GET') return next();
  const length = Number(c.req.header('content-length') ?? NaN);
  const isShort = length <= MAX_BODY_BYTES && c.req.header('transfer-encoding') === undefined;
  return isShort ? next() : limitStream(c, next);
});
