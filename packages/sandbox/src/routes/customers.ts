import type { Books } from '../books.ts';
import { cancelSubscription } from '../billing.ts';
import { type CustomerInput, newCustomer } from '../objects/customer.ts';
import { email, fields, metadata, notHere, required, text, texts } from '../params.ts';
import { action, by, listPage, merged, records } from '../resource.ts';
import { address } from './payment-intent-params.ts';

const FIELDS = {
  name: text,
  email,
  phone: text,
  description: text,
  metadata,
  address,
  preferred_locales: texts,
  invoice_settings: fields({ default_payment_method: text }),
  source: notHere,
};

const CREATE = { ...FIELDS, test_clock: text, payment_method: notHere };

/** `/v1/customers`: who gives, and with which card. */
export const customers = () =>
  records('customer', by('email', 'test_clock'))
    .get('/:id/payment_methods', (c) =>
      listPage(c, 'payment_method', by('type'), { customer: c.req.param('id') }),
    )
    .post(
      '/',
      action(CREATE, ({ books, params }) => {
        const { test_clock: clock, invoice_settings: _, ...rest } = params;
        if (clock) books.find('test_helpers.test_clock', clock, 'test_clock');
        const input = known({ ...rest, test_clock: clock }) as CustomerInput;
        const customer = books.add(newCustomer(books.now(), input));
        books.emit('customer.created', customer);
        return customer;
      }),
    )
    .post(
      '/:id',
      action(FIELDS, ({ books, id, params }) => {
        const { invoice_settings, metadata: more, ...rest } = params;
        const customer = books.find('customer', id);
        Object.assign(customer, known(rest), { metadata: merged(customer.metadata, more) });
        const method = invoice_settings?.default_payment_method;
        if (method !== undefined) {
          customer.invoice_settings.default_payment_method = method && attached(books, method, id);
        }
        books.save(customer);
        books.emit('customer.updated', customer);
        return customer;
      }),
    )
    .delete(
      '/:id',
      action({}, ({ books, id }) => {
        const customer = books.find('customer', id);
        for (const subscription of books.all('subscription', { fields: { customer: id } })) {
          if (subscription.status !== 'canceled') cancelSubscription(books, subscription);
        }
        books.remove(customer);
        books.emit('customer.deleted', customer);
        return { id, object: 'customer', deleted: true };
      }),
    );

/** Only what was sent; empty text means nothing, as at Stripe. */
const known = (sent: object): object =>
  Object.fromEntries(
    Object.entries(sent)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === '' ? null : (value as unknown)]),
  );

/** @throws {StripeError} 400 for a card that is not this customer's */
export function attached(books: Books, method: string, customer: string): string {
  const { customer: owner } = books.find('payment_method', method, 'payment_method');
  return required(owner === customer ? method : undefined, 'payment_method');
}
