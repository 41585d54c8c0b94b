import type { Books } from '../books.ts';
import { cardOfToken } from '../cards.ts';
import { presentCard } from '../collect.ts';
import { fields, integer, metadata, notHere, required, text } from '../params.ts';
import { action, by, merged, records } from '../resource.ts';
import { invalidParam } from '../stripe-error.ts';
import type { PaymentMethod } from '../wire.ts';
import { billing, billingOf } from './payment-intent-params.ts';

const UPDATE = {
  billing_details: billing,
  metadata,
  card: fields({ exp_month: integer, exp_year: integer }),
  allow_redisplay: notHere,
};

/** `/v1/payment_methods`: cards that were kept. */
export const paymentMethods = () =>
  records('payment_method', by('customer', 'type'))
    .post(
      '/:id/attach',
      action({ customer: text }, ({ books, id, params }) => {
        const customer = required(params.customer, 'customer');
        books.find('customer', customer, 'customer');
        return attach(books, methodOf(books, id), customer);
      }),
    )
    .post(
      '/:id/detach',
      action({}, ({ books, id }) => {
        const method = books.save({ ...books.find('payment_method', id), customer: null });
        books.emit('payment_method.detached', method);
        return method;
      }),
    )
    .post(
      '/:id',
      action(UPDATE, ({ books, id, params }) => {
        const method = books.find('payment_method', id);
        if (params.billing_details) method.billing_details = billingOf(params.billing_details);
        if (params.card) Object.assign(method.card ?? {}, params.card);
        method.metadata = merged(method.metadata, params.metadata);
        books.save(method);
        books.emit('payment_method.updated', method);
        return method;
      }),
    );

/** One of Stripe's test tokens makes a card of its own each time. */
function methodOf(books: Books, id: string): PaymentMethod {
  const token = cardOfToken(id);
  return token
    ? presentCard(books, token, billingOf(undefined)).method
    : books.find('payment_method', id);
}

function attach(books: Books, method: PaymentMethod, customer: string): PaymentMethod {
  if (method.customer === customer) return method;
  if (method.customer) {
    throw invalidParam(
      'payment_method',
      'The payment method you provided has already been attached to a customer.',
    );
  }
  const saved = books.save({ ...method, customer });
  books.emit('payment_method.attached', saved);
  return saved;
}
