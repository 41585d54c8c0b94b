import type { Ledger } from '../ledger.ts';
import { fields, integer, metadata, required, text } from '../params.ts';
import { action, filterBy, mergeMetadata, listAndRetrieve } from '../resource-routes.ts';
import { invalidParamError } from '../stripe-error.ts';
import type { PaymentMethod } from '../stripe-types.ts';
import { billing, testTokenAttempt, toBillingDetails } from './payment-method-params.ts';

const UPDATE_PARAMS = {
  billing_details: billing,
  metadata,
  card: fields({ exp_month: integer, exp_year: integer }),
};

/** `/v1/payment_methods` of the simulated Stripe API: saved cards and bank accounts. */
export const paymentMethods = () =>
  listAndRetrieve('payment_method', filterBy('customer', 'type'))
    .post(
      '/:id/attach',
      action({ customer: text }, ({ ledger, id, params }) => {
        const customer = required(params.customer, 'customer');
        ledger.find('customer', customer, 'customer');
        return attach(ledger, resolvePaymentMethod(ledger, id), customer);
      }),
    )
    .post(
      '/:id/detach',
      action({}, ({ ledger, id }) => {
        const method = ledger.save({ ...ledger.find('payment_method', id), customer: null });
        ledger.emit('payment_method.detached', method);
        return method;
      }),
    )
    .post(
      '/:id',
      action(UPDATE_PARAMS, ({ ledger, id, params }) => {
        const method = ledger.find('payment_method', id);
        if (params.billing_details)
          method.billing_details = toBillingDetails(params.billing_details);
        if (params.card) Object.assign(method.card ?? {}, params.card);
        method.metadata = mergeMetadata(method.metadata, params.metadata);
        ledger.save(method);
        ledger.emit('payment_method.updated', method);
        return method;
      }),
    );

const resolvePaymentMethod = (ledger: Ledger, id: string): PaymentMethod =>
  testTokenAttempt(ledger, id)?.method ?? ledger.find('payment_method', id);

function attach(ledger: Ledger, method: PaymentMethod, customer: string): PaymentMethod {
  if (method.customer === customer) return method;
  if (method.customer) {
    throw invalidParamError(
      'payment_method',
      'The payment method you provided has already been attached to a customer.',
    );
  }
  const saved = ledger.save({ ...method, customer });
  ledger.emit('payment_method.attached', saved);
  return saved;
}
