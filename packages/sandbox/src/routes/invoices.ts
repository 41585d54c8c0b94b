import { payInvoice } from '../renewals.ts';
import { voidInvoice } from '../invoices.ts';
import { text } from '../params.ts';
import { CommittedError, action, filterBy, listAndRetrieve } from '../resource-routes.ts';
import { invalidParamError } from '../stripe-error.ts';

const FILTERS = {
  ...filterBy('status'),
  subscription: { read: text, field: '$.parent.subscription_details.subscription' },
};

/** `/v1/invoices` of the simulated Stripe API: invoices of subscriptions. */
export const invoices = () =>
  listAndRetrieve('invoice', FILTERS)
    .post(
      '/:id/pay',
      action({}, ({ ledger, id }) => {
        const invoice = ledger.find('invoice', id);
        if (invoice.status !== 'open') {
          throw invalidParamError('invoice', `Invoice is ${invoice.status} and cannot be paid.`);
        }
        const { declined } = payInvoice(ledger, invoice);
        return declined ? new CommittedError(declined) : ledger.find('invoice', id);
      }),
    )
    .post(
      '/:id/void',
      action({}, ({ ledger, id }) => voidInvoice(ledger, ledger.find('invoice', id))),
    );

/** `/v1/invoice_payments`: the relation of invoices to payment intents. */
export const invoicePayments = () => listAndRetrieve('invoice_payment', PAYMENT_FILTERS);

const PAYMENT_FILTERS = {
  'payment[type]': { read: text, field: '$.payment.type' },
  'payment[payment_intent]': { read: text, field: '$.payment.payment_intent' },
};
