import { invalidParamError } from '../stripe-error.ts';
import type { Ledger } from '../ledger.ts';
import { integer, metadata, oneOf, text } from '../params.ts';
import { cancelRefund, createRefund } from '../refunds.ts';
import { action, filterBy, listAndRetrieve, updateMetadata } from '../resource-routes.ts';
import type { Charge } from '../stripe-types.ts';

const CREATE_PARAMS = {
  charge: text,
  payment_intent: text,
  amount: integer,
  reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
  metadata,
};

/** `/v1/refunds` of the simulated Stripe API: full and partial refunds. */
export const refunds = () =>
  listAndRetrieve('refund', filterBy('charge', 'payment_intent'))
    .post(
      '/',
      action(CREATE_PARAMS, ({ ledger, params }) =>
        createRefund(ledger, resolveCharge(ledger, params), params),
      ),
    )
    .post('/:id', updateMetadata('refund'))
    .post(
      '/:id/cancel',
      action({}, ({ ledger, id }) => cancelRefund(ledger, id)),
    );

/**
 * @throws {StripeError} 400 if no payment is named or it has not succeeded; 404 if it does not
 *   exist
 */
function resolveCharge(
  ledger: Ledger,
  { charge, payment_intent }: Record<string, unknown>,
): Charge {
  if (typeof charge === 'string') return ledger.find('charge', charge, 'charge');
  if (typeof payment_intent !== 'string') {
    throw invalidParamError(
      'charge',
      'One of the following params should be provided for this request: payment_intent or charge.',
      'parameter_missing',
    );
  }
  const intent = ledger.find('payment_intent', payment_intent, 'payment_intent');
  if (intent.status === 'succeeded') return ledger.find('charge', String(intent.latest_charge));
  throw invalidParamError(
    'payment_intent',
    `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
  );
}
