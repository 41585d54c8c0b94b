import type { Ledger } from '../ledger.ts';
import { cancelSubscription } from '../subscription-lifecycle.ts';
import { type CustomerInput, newCustomer } from '../objects/customer.ts';
import { email, fields, metadata, required, text, texts } from '../params.ts';
import {
  action,
  type ActionContext,
  filterBy,
  listPage,
  mergeMetadata,
  listAndRetrieve,
} from '../resource-routes.ts';
import { address } from './payment-method-params.ts';

const FIELD_PARAMS = {
  name: text,
  email,
  phone: text,
  description: text,
  metadata,
  address,
  preferred_locales: texts,
  invoice_settings: fields({ default_payment_method: text }),
};

const DELETE_PARAMS = {};

/** `/v1/customers` of the simulated Stripe API: donors and their default cards. */
export const customers = () =>
  listAndRetrieve('customer', filterBy('email'))
    .get('/:id/payment_methods', (c) =>
      listPage(c, 'payment_method', filterBy('type'), { customer: c.req.param('id') }),
    )
    .post('/', action(FIELD_PARAMS, createCustomer))
    .post('/:id', action(FIELD_PARAMS, updateCustomer))
    .delete('/:id', action(DELETE_PARAMS, deleteCustomer));

function createCustomer({ ledger, params }: ActionContext<typeof FIELD_PARAMS>) {
  const { invoice_settings: _, ...rest } = params;
  const input = definedFields(rest) as CustomerInput;
  const customer = ledger.add(newCustomer(ledger.now(), input));
  ledger.emit('customer.created', customer);
  return customer;
}

function updateCustomer({ ledger, id, params }: ActionContext<typeof FIELD_PARAMS>) {
  const { invoice_settings, metadata: metadataChange, ...rest } = params;
  const customer = ledger.find('customer', id);
  Object.assign(customer, definedFields(rest), {
    metadata: mergeMetadata(customer.metadata, metadataChange),
  });
  const method = invoice_settings?.default_payment_method;
  if (method !== undefined) {
    customer.invoice_settings.default_payment_method =
      method && requireAttached(ledger, method, id);
  }
  ledger.save(customer);
  ledger.emit('customer.updated', customer);
  return customer;
}

function deleteCustomer({ ledger, id }: ActionContext<typeof DELETE_PARAMS>) {
  const customer = ledger.find('customer', id);
  for (const subscription of ledger.listAll('subscription', { fields: { customer: id } })) {
    if (subscription.status !== 'canceled') cancelSubscription(ledger, subscription);
  }
  ledger.remove(customer);
  ledger.emit('customer.deleted', customer);
  return { id, object: 'customer', deleted: true };
}

/** Removes fields that were not sent; an empty text becomes null, as at Stripe. */
const definedFields = (sentFields: object): object =>
  Object.fromEntries(
    Object.entries(sentFields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === '' ? null : (value as unknown)]),
  );

/** @throws {StripeError} 400 if the card is not attached to this customer */
export function requireAttached(ledger: Ledger, method: string, customer: string): string {
  const { customer: owner } = ledger.find('payment_method', method, 'payment_method');
  return required(owner === customer ? method : undefined, 'payment_method');
}
