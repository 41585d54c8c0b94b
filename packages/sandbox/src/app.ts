import type { DatabaseSync } from 'node:sqlite';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import type { Books } from './books.ts';
import { credential, requestId } from './credential.ts';
import type { Once } from './once.ts';
import { accounts } from './routes/accounts.ts';
import { browser } from './routes/browser.ts';
import { home } from './routes/home.ts';
import { paymentIntents } from './routes/payment-intents.ts';
import { records } from './routes/records.ts';
import { StripeError } from './stripe-error.ts';

export type Deps = { db: DatabaseSync; once: Once; log: (line: string) => void };

export type Env = {
  Variables: { deps: Deps; requestId: string; browser: boolean; books: Books };
};

/** Stripe's forms are small; a bigger body is a mistake. */
const MAX_BODY_BYTES = 256 * 1024;

/** Every route of the sandbox. */
export function createApp(deps: Deps) {
  const v1 = new Hono<Env>()
    .use(credential)
    .route('/payment_intents', paymentIntents())
    .route('/charges', records('charge'))
    .route('/balance_transactions', records('balance_transaction'))
    .route('/payment_methods', records('payment_method'))
    .route('/events', records('event'))
    .route('/accounts', accounts());

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
    .use('/v1/*', requestId)
    .use(
      '/v1/*',
      cors({ origin: '*', exposeHeaders: ['Request-Id', 'Idempotent-Replayed'], maxAge: 300 }),
    )
    .use('/v1/*', bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge }))
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .route('/v1', v1)
    .route('/', browser())
    .route('/', home())
    .notFound((c) => answer(unrecognized(c.req.method, c.req.path)))
    .onError((error) => {
      if (error instanceof StripeError) return answer(error);
      deps.log(error.stack ?? String(error));
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
