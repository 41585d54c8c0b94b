import { requireChargesEnabled } from '../accounts.ts';
import type { Ledger } from '../ledger.ts';
import { cancelSubscription, startSubscription } from '../subscription-lifecycle.ts';
import { toPlan } from '../objects/price.ts';
import { subscriptionItem } from '../objects/subscription.ts';
import { required, text } from '../params.ts';
import { action, filterBy, mergeMetadata, listAndRetrieve } from '../resource-routes.ts';
import { StripeError, invalidParamError, unsupportedParamError } from '../stripe-error.ts';
import { requireActiveTypes } from '../payment-method-types.ts';
import { renewNow } from '../renewals.ts';
import { updateSubscription } from '../subscription-state.ts';
import type { Price, Subscription } from '../stripe-types.ts';
import { createPrice } from './catalog.ts';
import { requireAttached } from './customers.ts';
import {
  CANCEL_PARAMS,
  CREATE_PARAMS,
  type CreateParams,
  type ItemParams,
  UPDATE_PARAMS,
  type UpdateParams,
} from './subscription-params.ts';

/** Stripe lists ended subscriptions only on request. */
const STATUSES: Record<string, readonly string[]> = {
  ended: ['canceled', 'incomplete_expired'],
  unended: ['active', 'past_due', 'incomplete', 'paused', 'trialing', 'unpaid'],
};

const status = {
  read: text,
  field: 'status',
  expandValue: (status = 'unended') =>
    status === 'all' ? undefined : (STATUSES[status] ?? [status]),
};

const FILTERS = {
  ...filterBy('customer'),
  status,
  price: { read: text, field: '$.items.data[0].price.id' },
};

/** `/v1/subscriptions` of the simulated Stripe API. */
export const subscriptions = () =>
  listAndRetrieve('subscription', FILTERS)
    .post(
      '/',
      action(CREATE_PARAMS, ({ ledger, params }) => create(ledger, params)),
    )
    .post(
      '/:id',
      action(UPDATE_PARAMS, ({ ledger, id, params }) => {
        const subscription = requireActive(ledger.find('subscription', id));
        return update(ledger, subscription, params);
      }),
    )
    .delete(
      '/:id',
      action(CANCEL_PARAMS, ({ ledger, id, params }) => {
        const subscription = requireActive(ledger.find('subscription', id));
        const details = { ...subscription.cancellation_details, ...params.cancellation_details };
        return cancelSubscription(ledger, {
          ...subscription,
          cancellation_details: details as Subscription['cancellation_details'],
        });
      }),
    );

function create(ledger: Ledger, params: CreateParams): Subscription {
  requireChargesEnabled(ledger);
  const id = required(params.customer, 'customer');
  ledger.find('customer', id, 'customer');
  const [item, ...otherItems] = Object.values(params.items ?? {});
  const { quantity = 1, ...itemParams } = required(item, 'items');
  if (otherItems.length) throw unsupportedParamError('items[1]');
  const price = resolvePrice(ledger, itemParams);
  if (!price.recurring) throw invalidParamError('items[0][price]', 'The price must be recurring.');
  const method = params.default_payment_method;
  return startSubscription(
    ledger,
    {
      customer: id,
      price,
      quantity,
      metadata: params.metadata ?? {},
      description: params.description ?? null,
      default_payment_method: method ? requireAttached(ledger, method, id) : null,
      cancel_at_period_end: params.cancel_at_period_end ?? false,
      payment_settings: {
        payment_method_options: null,
        payment_method_types: null,
        save_default_payment_method: 'off',
        ...paymentSettings(ledger, params, price.currency),
      },
    },
    params.payment_behavior ?? 'allow_incomplete',
  );
}

function update(ledger: Ledger, old: Subscription, params: UpdateParams): Subscription {
  const { items, metadata, pause_collection, default_payment_method: method, ...rest } = params;
  const to: Partial<Subscription> = {};
  if (metadata) to.metadata = mergeMetadata(old.metadata, metadata);
  if (rest.description !== undefined) to.description = rest.description || null;
  if (method !== undefined) {
    to.default_payment_method = method
      ? requireAttached(ledger, method, String(old.customer))
      : null;
  }
  if (rest.payment_settings) {
    const settings = paymentSettings(ledger, rest, old.currency);
    to.payment_settings = { ...old.payment_settings, ...settings } as PaymentSettings;
  }
  if (rest.cancellation_details) {
    const details = { ...old.cancellation_details, ...rest.cancellation_details };
    to.cancellation_details = details as Subscription['cancellation_details'];
  }
  if (items) to.items = replaceItems(ledger, old, Object.values(items), rest.proration_behavior);
  applyPause(ledger, old, pause_collection, to);
  applyCancellation(ledger, old, rest, to);
  const updated = updateSubscription(ledger, old, to);
  if (rest.billing_cycle_anchor?.type !== 'now') return updated;
  if (rest.proration_behavior !== 'none')
    throw unsupportedParamError('proration_behavior other than none');
  const declined = renewNow(ledger, updated);
  if (declined && rest.payment_behavior === 'error_if_incomplete')
    throw new StripeError(402, declined);
  return ledger.find('subscription', old.id);
}

type PaymentSettings = NonNullable<Subscription['payment_settings']>;

/** @throws {StripeError} 400 for a payment method that is not active */
function paymentSettings(
  ledger: Ledger,
  { payment_settings: settings }: Pick<CreateParams, 'payment_settings'>,
  currency: string,
) {
  const { payment_method_types: types, save_default_payment_method: saves } = settings ?? {};
  if (types) {
    requireActiveTypes(ledger, types, currency, 'payment_settings[payment_method_types]');
  }
  return {
    ...(types !== undefined && {
      payment_method_types: types as PaymentSettings['payment_method_types'],
    }),
    ...(saves && { save_default_payment_method: saves }),
  };
}

function applyPause(
  ledger: Ledger,
  { id }: Subscription,
  input: UpdateParams['pause_collection'],
  to: Partial<Subscription>,
) {
  if (input === undefined) return;
  ledger.unschedule('resume', id);
  if (input === null) return void (to.pause_collection = null);
  const behavior = required(input.behavior, 'pause_collection[behavior]');
  to.pause_collection = { behavior, resumes_at: input.resumes_at ?? null };
  if (input.resumes_at) ledger.schedule(input.resumes_at, 'resume', id);
}

/** Schedules the cancellation, or removes a scheduled cancellation. */
function applyCancellation(
  ledger: Ledger,
  old: Subscription,
  { cancel_at, cancel_at_period_end }: UpdateParams,
  to: Partial<Subscription>,
) {
  if (cancel_at === undefined && cancel_at_period_end === undefined) return;
  ledger.unschedule('end_subscription', old.id);
  const at = cancel_at_period_end ? subscriptionItem(old).current_period_end : (cancel_at ?? null);
  if (cancel_at) ledger.schedule(cancel_at, 'end_subscription', old.id);
  to.cancel_at_period_end = cancel_at_period_end ?? false;
  to.cancel_at = at;
  to.canceled_at = at === null ? null : ledger.now();
}

/** Changes the amount from the next payment on; proration is not supported. */
function replaceItems(ledger: Ledger, old: Subscription, items: ItemParams[], proration?: string) {
  const [requestedItem = {}, ...otherItems] = items;
  const item = subscriptionItem(old);
  if (otherItems.length || (requestedItem.id !== undefined && requestedItem.id !== item.id))
    throw unsupportedParamError('items');
  const { id: _, quantity = item.quantity ?? 1, ...priced } = requestedItem;
  const price = priced.price || priced.price_data ? resolvePrice(ledger, priced) : item.price;
  const intervalKey = ({ recurring, currency }: Price) =>
    `${currency} ${recurring?.interval_count} ${recurring?.interval}`;
  if (intervalKey(price) !== intervalKey(item.price))
    throw unsupportedParamError('items[0][price] with another interval');
  if (proration !== 'none') throw unsupportedParamError('proration_behavior other than none');
  return { ...old.items, data: [{ ...item, price, plan: toPlan(price), quantity }] };
}

function resolvePrice(ledger: Ledger, { price, price_data }: ItemParams): Price {
  if (price_data) return createPrice(ledger, price_data, false);
  return ledger.find('price', required(price, 'items[0][price]'), 'items[0][price]');
}

function requireActive(subscription: Subscription): Subscription {
  if (subscription.status !== 'canceled' && subscription.status !== 'incomplete_expired') {
    return subscription;
  }
  throw new StripeError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such subscription: '${subscription.id}'`,
    param: 'id',
  });
}
