import { cancelSubscription } from '../subscription-lifecycle.ts';
import { newCustomer } from '../objects/customer.ts';
import { email, metadata, nullable, text } from '../params.ts';
import { action, filterBy, mergeMetadata, listAndRetrieve } from '../resource-routes.ts';

const PARAMS = { name: nullable(text), email, metadata };

/** `/v1/customers` of the simulated Stripe API: donors of subscriptions. */
export const customers = () =>
  listAndRetrieve('customer', filterBy('email'))
    .post(
      '/',
      action(PARAMS, ({ ledger, params }) => {
        const customer = ledger.add(newCustomer(ledger.now(), params));
        ledger.emit('customer.created', customer);
        return customer;
      }),
    )
    .post(
      '/:id',
      action(PARAMS, ({ ledger, id, params }) => {
        const customer = ledger.find('customer', id);
        const metadataOf = mergeMetadata(customer.metadata, params.metadata);
        const changed = ledger.save({ ...customer, ...params, metadata: metadataOf });
        ledger.emit('customer.updated', changed);
        return changed;
      }),
    )
    .delete(
      '/:id',
      action({}, ({ ledger, id }) => {
        const customer = ledger.find('customer', id);
        for (const subscription of ledger.listAll('subscription', { fields: { customer: id } })) {
          if (subscription.status !== 'canceled') cancelSubscription(ledger, subscription);
        }
        ledger.remove(customer);
        ledger.emit('customer.deleted', customer);
        return { id, object: 'customer', deleted: true };
      }),
    );
