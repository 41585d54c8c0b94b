import { type Context, Hono } from 'hono';
import type { Env } from '../env.ts';
import { secretKeyOnly } from '../credential.ts';
import type { JsonResponse } from '../idempotency.ts';
import { flag, ignored, metadata, oneOf, readParams, required, text, texts } from '../params.ts';
import { runIdempotently, filterBy, listPage, parseQuery } from '../resource-routes.ts';
import {
  type SetupResult,
  authenticateSetupIntent,
  cancelSetupIntent,
  confirmSetupIntent,
  createSetupIntent,
} from '../setup-intents.ts';
import { expand } from '../expand-ids.ts';
import { resourceMissingError } from '../stripe-error.ts';
import type { SetupIntent } from '../stripe-types.ts';
import { METHOD_TYPE_PARAMS, methodTypeFields } from './payment-intent-params.ts';
import { METHOD_PARAMS, type ConfirmParams, resolveAttempt } from './payment-method-params.ts';

const CREATE_PARAMS = {
  ...METHOD_PARAMS,
  customer: text,
  usage: oneOf('off_session'),
  metadata,
  ...METHOD_TYPE_PARAMS,
  payment_method_options: ignored,
  confirm: flag,
};

const CONFIRM_PARAMS = { ...METHOD_PARAMS, client_secret: text };

const CANCEL_PARAMS = { cancellation_reason: oneOf('abandoned'), expand: texts };

const AUTHENTICATE_PARAMS = { client_secret: text, outcome: oneOf('complete', 'fail') };

/**
 * `/v1/setup_intents` of the simulated Stripe API: saving a payment method, such as another card for
 * a subscription.
 */
export const setupIntents = () =>
  new Hono<Env>()
    .post('/', secretKeyOnly, handleCreate)
    .get('/', secretKeyOnly, (c) => listPage(c, 'setup_intent', filterBy('customer')))
    .get('/:id', handleRetrieve)
    .post('/:id/confirm', handleConfirm)
    .post('/:id/cancel', secretKeyOnly, handleCancel)
    // Not in Stripe's API: the authentication dialog sends the outcome here.
    .post('/:id/authenticate', handleAuthenticate);

const handleCreate = (c: Context<Env>) =>
  runIdempotently(c, CREATE_PARAMS, (params) => {
    const { ledger } = c.var;
    if (params.customer) ledger.find('customer', params.customer, 'customer');
    const intent = createSetupIntent(ledger, {
      customer: params.customer ?? null,
      metadata: params.metadata ?? {},
      ...methodTypeFields(ledger, params),
    });
    return params.confirm ? confirm(c, intent, params) : respond(c, { intent }, params.expand);
  });

function handleRetrieve(c: Context<Env>) {
  const query = readParams(parseQuery(c), { client_secret: text, expand: texts });
  return c.json(render(c, findIntent(c, query.client_secret), query.expand));
}

const handleConfirm = (c: Context<Env>) =>
  runIdempotently(c, CONFIRM_PARAMS, (params) =>
    confirm(c, findIntent(c, params.client_secret), params),
  );

const handleCancel = (c: Context<Env>) =>
  runIdempotently(c, CANCEL_PARAMS, (params) =>
    respond(c, { intent: cancelSetupIntent(c.var.ledger, findIntent(c)) }, params.expand),
  );

const handleAuthenticate = (c: Context<Env>) =>
  runIdempotently(c, AUTHENTICATE_PARAMS, (params) => {
    const isAuthenticated = required(params.outcome, 'outcome') === 'complete';
    const intent = findIntent(c, params.client_secret);
    return respond(c, authenticateSetupIntent(c.var.ledger, intent, isAuthenticated));
  });

function confirm(c: Context<Env>, intent: SetupIntent, params: ConfirmParams): JsonResponse {
  const { ledger, browser } = c.var;
  const getAttempt = () => resolveAttempt(ledger, params, browser);
  return respond(c, confirmSetupIntent(ledger, intent, getAttempt), params.expand);
}

/** Finds the intent of a request. A browser must also send its client secret. */
function findIntent(c: Context<Env>, clientSecret?: string): SetupIntent {
  const intent = c.var.ledger.find('setup_intent', c.req.param('id') ?? '', 'intent');
  if (clientSecret === undefined && !c.var.browser) return intent;
  if (clientSecret === intent.client_secret) return intent;
  throw resourceMissingError('setup_intent', intent.id, 'client_secret');
}

const PUBLIC_FIELDS = [
  'id',
  'object',
  'automatic_payment_methods',
  'cancellation_reason',
  'client_secret',
  'created',
  'description',
  'last_setup_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'status',
  'usage',
] as const satisfies readonly (keyof SetupIntent)[];

const render = (c: Context<Env>, intent: SetupIntent, paths?: readonly string[]): object =>
  c.var.browser
    ? Object.fromEntries(PUBLIC_FIELDS.map((field) => [field, intent[field]]))
    : expand(c.var.ledger, intent, paths);

function respond(
  c: Context<Env>,
  { intent, declined }: SetupResult,
  paths?: readonly string[],
): JsonResponse {
  const setup_intent = render(c, intent, paths);
  return declined
    ? { status: 402, body: JSON.stringify({ error: { ...declined, setup_intent } }) }
    : { status: 200, body: JSON.stringify(setup_intent) };
}
