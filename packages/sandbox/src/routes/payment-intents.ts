import { type Context, Hono } from 'hono';
import { refuseUnlessEnabled } from '../accounts.ts';
import type { Env } from '../app.ts';
import { createIntent } from '../collect.ts';
import { secretKeyOnly } from '../credential.ts';
import { IntentLocks } from '../intent-locks.ts';
import {
  answerOf,
  authenticateIntent,
  cancelIntent,
  confirmIntent,
  refuseUnless,
} from '../intents.ts';
import type { Answer } from '../once.ts';
import { oneOf, readParams, required, text, texts } from '../params.ts';
import { act, by, listPage, merged, queryOf } from '../resource.ts';
import { expand, publicView } from '../show.ts';
import { StripeError } from '../stripe-error.ts';
import type { PaymentIntent } from '../wire.ts';
import {
  CANCEL,
  CONFIRM,
  CREATE,
  type ConfirmParams,
  UPDATE,
  presented,
  settings,
} from './payment-intent-params.ts';

/** `/v1/payment_intents`: the whole life of a payment. */
export const paymentIntents = (locks = new IntentLocks()) =>
  new Hono<Env>()
    .post('/', secretKeyOnly, (c) =>
      act(c, CREATE, (params) => {
        refuseUnlessEnabled(c.var.books);
        const amount = required(params.amount, 'amount');
        const currency = required(params.currency, 'currency');
        const intent = createIntent(c.var.books, { ...settings(params), amount, currency });
        return params.confirm ? confirm(c, intent, params) : answer(c, intent, params.expand);
      }),
    )
    .get('/', secretKeyOnly, (c) => listPage(c, 'payment_intent', by('customer')))
    .get('/:id', (c) => {
      const { client_secret, expand: paths } = readParams(queryOf(c), {
        client_secret: text,
        expand: texts,
      });
      return c.json(show(c, paths)(find(c, client_secret)));
    })
    .post('/:id', secretKeyOnly, (c) =>
      act(c, UPDATE, (params) => {
        const intent = find(c);
        if (!isNote(params)) {
          refuseUnless(intent, ['requires_payment_method', 'requires_action'], 'update');
        }
        const metadata = merged(intent.metadata, params.metadata);
        Object.assign(intent, settings(params), { metadata });
        c.var.books.save(intent);
        return answer(c, intent, params.expand);
      }),
    )
    .post('/:id/confirm', (c) =>
      locks.run(c.req.param('id'), { waits: !c.var.browser }, () =>
        act(c, CONFIRM, (params) => confirm(c, find(c, params.client_secret), params)),
      ),
    )
    .post('/:id/cancel', secretKeyOnly, (c) =>
      locks.run(c.req.param('id'), { waits: true }, () =>
        act(c, CANCEL, (params) => {
          const intent = cancelIntent(c.var.books, find(c), params.cancellation_reason ?? null);
          return answer(c, intent, params.expand);
        }),
      ),
    )
    // Ours, not Stripe's: how the authentication dialog reports what was pressed.
    .post('/:id/authenticate', (c) =>
      act(c, { client_secret: text, outcome: oneOf('complete', 'fail') }, (params) => {
        const passed = required(params.outcome, 'outcome') === 'complete';
        const intent = find(c, params.client_secret);
        return answerOf(authenticateIntent(c.var.books, intent, passed), show(c));
      }),
    );

/** What people write beside a payment, they may still write when it has ended. */
const isNote = (params: object) =>
  Object.keys(params).every((name) => ['metadata', 'description', 'expand'].includes(name));

function confirm(c: Context<Env>, intent: PaymentIntent, params: ConfirmParams): Answer {
  const { books, browser } = c.var;
  const tried = () => presented(books, params, intent, browser);
  return answerOf(confirmIntent(books, intent, tried), show(c, params.expand));
}

/**
 * A browser has to know the client secret too; the id alone opens nothing.
 *
 * @throws {StripeError} 404
 */
function find(c: Context<Env>, clientSecret?: string): PaymentIntent {
  const intent = c.var.books.find('payment_intent', c.req.param('id') ?? '', 'intent');
  if (clientSecret === undefined && !c.var.browser) return intent;
  if (clientSecret === intent.client_secret) return intent;
  throw new StripeError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message:
      'The client_secret provided does not match any associated PaymentIntent on this account. Ensure the client_secret matches one that exists on this account.',
    param: 'client_secret',
  });
}

const show =
  (c: Context<Env>, paths?: readonly string[]) =>
  (intent: PaymentIntent): object =>
    c.var.browser ? publicView(intent) : expand(c.var.books, intent, paths);

const answer = (c: Context<Env>, intent: PaymentIntent, paths?: readonly string[]): Answer => ({
  status: 200,
  body: JSON.stringify(show(c, paths)(intent)),
});
