import type { DatabaseSync } from 'node:sqlite';
import { isLocalHost, unknownHostMessage } from '@connect-embed/contract/local-host';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import type { Agenda } from './agenda.ts';
import type { Books } from './books.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Commits } from './commits.ts';
import { credential, requestId } from './credential.ts';
import type { Faults } from './faults.ts';
import type { Log } from './log.ts';
import { misfortune } from './misfortune.ts';
import type { Once } from './once.ts';
import { accountLinks, accounts, ownAccount } from './routes/accounts.ts';
import { browser } from './routes/browser.ts';
import { prices, products } from './routes/catalog.ts';
import { control } from './routes/control.ts';
import { customers } from './routes/customers.ts';
import { disputes } from './routes/disputes.ts';
import { home } from './routes/home.ts';
import { invoicePayments, invoices } from './routes/invoices.ts';
import { paymentIntents } from './routes/payment-intents.ts';
import { paymentMethodDomains } from './routes/payment-method-domains.ts';
import { paymentMethods } from './routes/payment-methods.ts';
import { balance, payouts } from './routes/payouts.ts';
import { refunds } from './routes/refunds.ts';
import { setupIntents } from './routes/setup-intents.ts';
import { webhookEndpoints } from './routes/webhook-endpoints.ts';
import { onboarding } from './routes/onboarding.ts';
import { testClocks } from './routes/test-clocks.ts';
import { subscriptions } from './routes/subscriptions.ts';
import { by, records } from './resource.ts';
import { text } from './params.ts';
import { StripeError } from './stripe-error.ts';

export type Deps = {
  db: DatabaseSync;
  clock: Clock;
  faults: Faults;
  commits: Commits;
  once: Once;
  agenda: Agenda;
  log: Log;
};

export type Env = {
  Variables: { deps: Deps; requestId: string; browser: boolean; books: Books };
};

/** Stripe's forms are small; a bigger body is a mistake. */
const MAX_BODY_BYTES = 256 * 1024;

/** Stripe tells no transaction which payout it is part of; a list may be narrowed to it all the same. */
const BALANCE_FILTERS = {
  ...by('type', 'source', 'currency'),
  payout: { read: text, field: 'payout', hidden: true },
};

/** Every route of the sandbox. */
export function createApp(deps: Deps, { allowedHosts }: Pick<Config, 'allowedHosts'>) {
  const v1 = new Hono<Env>()
    .use(credential)
    .route('/payment_intents', paymentIntents())
    .route('/charges', records('charge', by('customer', 'payment_intent')))
    .route('/refunds', refunds())
    .route('/balance_transactions', records('balance_transaction', BALANCE_FILTERS))
    .route('/payment_methods', paymentMethods())
    .route('/setup_intents', setupIntents())
    .route('/customers', customers())
    .route('/products', products())
    .route('/prices', prices())
    .route('/subscriptions', subscriptions())
    .route('/invoices', invoices())
    .route('/invoice_payments', invoicePayments())
    .route('/payouts', payouts())
    .route('/balance', balance())
    .route('/disputes', disputes())
    .route('/test_helpers/test_clocks', testClocks())
    .route('/events', records('event', by('type')))
    .route('/accounts', accounts())
    .route('/account', ownAccount())
    .route('/account_links', accountLinks())
    .route('/payment_method_domains', paymentMethodDomains())
    .route('/webhook_endpoints', webhookEndpoints());

  return new Hono<Env>()
    .use(async (c, next) => {
      c.set('deps', deps);
      const start = performance.now();
      await next();
      // The path only: a query may carry a client secret, a body a card.
      deps.log(
        `${c.req.method} ${c.req.path} ${c.res.status} ${Math.round(performance.now() - start)} ms`,
      );
    })
    .use(async (c, next) => {
      const { hostname } = new URL(c.req.url);
      if (allowedHosts && !isLocalHost(hostname, allowedHosts)) throw unknownHost(hostname);
      await next();
    })
    .use('/v1/*', requestId)
    .use(
      '/v1/*',
      cors({ origin: '*', exposeHeaders: ['Request-Id', 'Idempotent-Replayed'], maxAge: 300 }),
    )
    .use('/v1/*', bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge }))
    .use('/v1/*', misfortune)
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .route('/v1', v1)
    .route('/', browser())
    .route('/sandbox', control())
    .route('/onboarding', onboarding())
    .route('/', home())
    .notFound((c) => answer(unrecognized(c.req.method, c.req.path)))
    .onError((error) => {
      if (error instanceof StripeError) return answer(error);
      if (error instanceof HTTPException) return error.getResponse();
      deps.log(error.stack ?? String(error), 'error');
      return answer(
        new StripeError(500, {
          type: 'api_error',
          message: 'The sandbox failed. Its log says why.',
        }),
      );
    });
}

const answer = (error: StripeError) => {
  const headers = error.status === 401 ? { 'www-authenticate': 'Basic realm="Stripe"' } : undefined;
  return Response.json(error, { status: error.status, ...(headers && { headers }) });
};

const unknownHost = (hostname: string) =>
  new StripeError(403, { type: 'invalid_request_error', message: unknownHostMessage(hostname) });

const unrecognized = (method: string, path: string) =>
  new StripeError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). The sandbox knows a part of Stripe only; see packages/sandbox/README.md.`,
  });

const tooLarge = () => {
  throw new StripeError(413, {
    type: 'invalid_request_error',
    message: 'The request body is too large.',
  });
};
