import { requireChargesEnabled } from '../accounts.ts';
import type { Ledger } from '../ledger.ts';
import { cancelSubscription, startSubscription } from '../subscription-lifecycle.ts';
import { toPlan } from '../objects/price.ts';
import { subscriptionItem } from '../objects/subscription.ts';
import { oneOf, required } from '../params.ts';
import { action, filterBy, mergeMetadata, listAndRetrieve } from '../resource-routes.ts';
import { resourceMissingError, unsupportedParamError } from '../stripe-error.ts';
import { requireActiveTypes } from '../payment-method-types.ts';
import { renewNow } from '../renewals.ts';
import { updateSubscription } from '../subscription-state.ts';
import type { Price, Subscription } from '../stripe-types.ts';
import { createPrice } from './catalog.ts';
import {
  CREATE_PARAMS,
  type CreateParams,
  type ItemParams,
  UPDATE_PARAMS,
  type UpdateParams,
} from './subscription-params.ts';

const UNENDED = ['active', 'past_due', 'incomplete'];

const FILTERS = {
  ...filterBy('customer'),
  /** Stripe lists ended subscriptions only on request. */
  status: {
    read: oneOf('all'),
    field: 'status',
    expandValue: (requested?: string) => (requested ? undefined : UNENDED),
  },
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
      action(UPDATE_PARAMS, ({ ledger, id, params }) =>
        update(ledger, findUnended(ledger, id), params),
      ),
    )
    .delete(
      '/:id',
      action({}, ({ ledger, id }) => cancelSubscription(ledger, findUnended(ledger, id))),
    );

function create(ledger: Ledger, params: CreateParams): Subscription {
  requireChargesEnabled(ledger);
  required(params.payment_behavior, 'payment_behavior');
  const customer = required(params.customer, 'customer');
  ledger.find('customer', customer, 'customer');
  const [item, ...otherItems] = required(params.items, 'items');
  if (otherItems.length) throw unsupportedParamError('items[1]');
  const price = createPrice(ledger, required(item?.price_data, 'items[0][price_data]'));
  return startSubscription(ledger, {
    customer,
    price,
    metadata: params.metadata ?? {},
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
      ...paymentSettings(ledger, params, price.currency),
    },
  });
}

function update(ledger: Ledger, old: Subscription, params: UpdateParams): Subscription {
  const { items, metadata, pause_collection: pause, default_payment_method: method } = params;
  const to: Partial<Subscription> = {};
  if (metadata) to.metadata = mergeMetadata(old.metadata, metadata);
  if (method) to.default_payment_method = requireAttached(ledger, method, String(old.customer));
  if (params.payment_settings) {
    const settings = paymentSettings(ledger, params, old.currency);
    to.payment_settings = { ...old.payment_settings, ...settings } as PaymentSettings;
  }
  if (items) to.items = replaceItems(ledger, old, items);
  if (pause !== undefined) {
    to.pause_collection = pause && {
      behavior: required(pause.behavior, 'pause_collection[behavior]'),
      resumes_at: null,
    };
  }
  // Proration is not supported, and Stripe's default.
  if (items ?? params.billing_cycle_anchor)
    required(params.proration_behavior, 'proration_behavior');
  const updated = updateSubscription(ledger, old, to);
  if (!params.billing_cycle_anchor) return updated;
  renewNow(ledger, updated);
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

/** Changes the amount from the next payment on. */
function replaceItems(ledger: Ledger, old: Subscription, items: ItemParams[]) {
  const item = subscriptionItem(old);
  const [requested, ...otherItems] = items;
  if (otherItems.length || requested?.id !== item.id) throw unsupportedParamError('items');
  const price = createPrice(ledger, required(requested.price_data, 'items[0][price_data]'));
  const intervalKey = ({ recurring, currency }: Price) =>
    `${currency} ${recurring?.interval_count} ${recurring?.interval}`;
  if (intervalKey(price) !== intervalKey(item.price))
    throw unsupportedParamError('items[0][price_data] with another interval');
  return { ...old.items, data: [{ ...item, price, plan: toPlan(price) }] };
}

/** @throws {StripeError} 400 if the payment method is not attached to this customer */
function requireAttached(ledger: Ledger, method: string, customer: string): string {
  const { customer: owner } = ledger.find('payment_method', method, 'payment_method');
  return required(owner === customer ? method : undefined, 'payment_method');
}

/** @throws {StripeError} 404, also for a subscription that has ended */
function findUnended(ledger: Ledger, id: string): Subscription {
  const subscription = ledger.find('subscription', id);
  if (UNENDED.includes(subscription.status)) return subscription;
  throw resourceMissingError('subscription', id);
}
