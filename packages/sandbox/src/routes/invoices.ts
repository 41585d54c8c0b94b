import { payInvoice } from '../renewals.ts';
import { voidInvoice } from '../invoices.ts';
import { flag, text } from '../params.ts';
import {
  CommittedError,
  action,
  filterBy,
  listAndRetrieve,
  updateMetadata,
} from '../resource-routes.ts';
import { invalidParamError } from '../stripe-error.ts';

const FILTERS = {
  ...filterBy('customer', 'status'),
  subscription: { read: text, field: '$.parent.subscription_details.subscription' },
};

const PAY_PARAMS = {
  payment_method: text,
  off_session: flag,
};

/** `/v1/invoices` of the simulated Stripe API: invoices of subscriptions. */
export const invoices = () =>
  listAndRetrieve('invoice', FILTERS)
    .post('/:id', updateMetadata('invoice'))
    .post(
      '/:id/pay',
      action(PAY_PARAMS, ({ ledger, id, params }) => {
        const invoice = ledger.find('invoice', id);
        if (invoice.status !== 'open') {
          throw invalidParamError('invoice', `Invoice is ${invoice.status} and cannot be paid.`);
        }
        const { payment_method, off_session } = params;
        const { declined } = payInvoice(ledger, invoice, payment_method, off_session === false);
        return declined ? new CommittedError(declined) : ledger.find('invoice', id);
      }),
    )
    .post(
      '/:id/void',
      action({}, ({ ledger, id }) => voidInvoice(ledger, ledger.find('invoice', id))),
    )
    .post(
      '/:id/mark_uncollectible',
      action({}, ({ ledger, id }) =>
        voidInvoice(ledger, ledger.find('invoice', id), 'uncollectible'),
      ),
    );

/** `/v1/invoice_payments`: the relation of invoices to payment intents. */
export const invoicePayments = () => listAndRetrieve('invoice_payment', PAYMENT_FILTERS);

const PAYMENT_FILTERS = {
  ...filterBy('invoice', 'status'),
  'payment[type]': { read: text, field: '$.payment.type' },
  'payment[payment_intent]': { read: text, field: '$.payment.payment_intent' },
};
