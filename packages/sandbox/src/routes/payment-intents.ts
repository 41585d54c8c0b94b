import { type Context, Hono } from 'hono';
import { requireChargesEnabled } from '../accounts.ts';
import type { Env } from '../env.ts';
import { createIntent } from '../attempt-payment.ts';
import { secretKeyOnly } from '../credential.ts';
import { IntentLocks } from '../intent-locks.ts';
import {
  confirmationResponse,
  authenticateIntent,
  cancelIntent,
  confirmIntent,
  requireStatus,
} from '../intents.ts';
import type { JsonResponse } from '../idempotency.ts';
import { oneOf, readParams, required, text, texts } from '../params.ts';
import { runIdempotently, listPage, mergeMetadata, parseQuery } from '../resource-routes.ts';
import { expand, publicIntentView } from '../expand-ids.ts';
import { StripeError } from '../stripe-error.ts';
import type { PaymentIntent } from '../stripe-types.ts';
import {
  CANCEL_PARAMS,
  CONFIRM_PARAMS,
  CREATE_PARAMS,
  UPDATE_PARAMS,
  methodTypeFields,
} from './payment-intent-params.ts';
import { type ConfirmParams, resolveAttempt } from './payment-method-params.ts';

const AUTHENTICATE_PARAMS = { client_secret: text, outcome: oneOf('complete', 'fail') };

/** `/v1/payment_intents` of the simulated Stripe API. */
export const paymentIntents = (locks = new IntentLocks()) =>
  new Hono<Env>()
    .post('/', secretKeyOnly, handleCreate)
    .get('/', secretKeyOnly, (c) => listPage(c, 'payment_intent'))
    .get('/:id', handleRetrieve)
    .post('/:id', secretKeyOnly, handleUpdate)
    .post('/:id/confirm', (c) =>
      locks.run(c.req.param('id'), { shouldWait: !c.var.browser }, () => handleConfirm(c)),
    )
    .post('/:id/cancel', secretKeyOnly, (c) =>
      locks.run(c.req.param('id'), { shouldWait: true }, () => handleCancel(c)),
    )
    // Not in Stripe's API: the authentication dialog sends the outcome here.
    .post('/:id/authenticate', handleAuthenticate);

const handleCreate = (c: Context<Env>) =>
  runIdempotently(c, CREATE_PARAMS, (params) => {
    requireChargesEnabled(c.var.ledger);
    const amount = required(params.amount, 'amount');
    const currency = required(params.currency, 'currency');
    const intent = createIntent(c.var.ledger, {
      ...methodTypeFields(c.var.ledger, params, currency),
      amount,
      currency,
      metadata: params.metadata ?? {},
      description: params.description ?? null,
    });
    return params.confirm ? confirm(c, intent, params) : respond(c, intent, params.expand);
  });

function handleRetrieve(c: Context<Env>) {
  const { client_secret, expand: paths } = readParams(parseQuery(c), {
    client_secret: text,
    expand: texts,
  });
  return c.json(render(c, paths)(findIntent(c, client_secret)));
}

const handleUpdate = (c: Context<Env>) =>
  runIdempotently(c, UPDATE_PARAMS, (params) => {
    const intent = findIntent(c);
    intent.metadata = mergeMetadata(intent.metadata, params.metadata);
    const { allowed_payment_method_types: allowed } = params;
    if (allowed) {
      // The metadata may also be changed after the payment has ended.
      requireStatus(intent, ['requires_payment_method', 'requires_action'], 'update');
      Object.assign(intent, methodTypeFields(c.var.ledger, params, intent.currency));
    }
    c.var.ledger.save(intent);
    return respond(c, intent, params.expand);
  });

const handleConfirm = (c: Context<Env>) =>
  runIdempotently(c, CONFIRM_PARAMS, (params) =>
    confirm(c, findIntent(c, params.client_secret), params),
  );

const handleCancel = (c: Context<Env>) =>
  runIdempotently(c, CANCEL_PARAMS, (params) => {
    const reason = params.cancellation_reason ?? null;
    const intent = cancelIntent(c.var.ledger, findIntent(c), reason);
    return respond(c, intent, params.expand);
  });

const handleAuthenticate = (c: Context<Env>) =>
  runIdempotently(c, AUTHENTICATE_PARAMS, (params) => {
    const isAuthenticated = required(params.outcome, 'outcome') === 'complete';
    const intent = findIntent(c, params.client_secret);
    return confirmationResponse(
      authenticateIntent(c.var.ledger, intent, isAuthenticated),
      render(c),
    );
  });

function confirm(c: Context<Env>, intent: PaymentIntent, params: ConfirmParams): JsonResponse {
  const { ledger, browser } = c.var;
  const getAttempt = () => resolveAttempt(ledger, params, browser);
  return confirmationResponse(confirmIntent(ledger, intent, getAttempt), render(c, params.expand));
}

/**
 * Finds the intent of a request. A browser must also send its client secret.
 *
 * @throws {StripeError} 404
 */
function findIntent(c: Context<Env>, clientSecret?: string): PaymentIntent {
  const intent = c.var.ledger.find('payment_intent', c.req.param('id') ?? '', 'intent');
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

const render =
  (c: Context<Env>, paths?: readonly string[]) =>
  (intent: PaymentIntent): object =>
    c.var.browser ? publicIntentView(intent) : expand(c.var.ledger, intent, paths);

const respond = (
  c: Context<Env>,
  intent: PaymentIntent,
  paths?: readonly string[],
): JsonResponse => ({
  status: 200,
  body: JSON.stringify(render(c, paths)(intent)),
});
