import type { Ledger } from '../ledger.ts';
import { required, text } from '../params.ts';
import { action, listAndRetrieve } from '../resource-routes.ts';
import { invalidParamError } from '../stripe-error.ts';
import type { PaymentMethod } from '../stripe-types.ts';
import { testTokenAttempt } from './payment-method-params.ts';

/** `/v1/payment_methods` of the simulated Stripe API: saved cards and bank accounts. */
export const paymentMethods = () =>
  listAndRetrieve('payment_method').post(
    '/:id/attach',
    action({ customer: text }, ({ ledger, id, params }) => {
      const customer = required(params.customer, 'customer');
      ledger.find('customer', customer, 'customer');
      const method = testTokenAttempt(ledger, id)?.method ?? ledger.find('payment_method', id);
      return attach(ledger, method, customer);
    }),
  );

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
