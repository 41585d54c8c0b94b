import { metadata } from '../params.ts';
import { action, filterBy, listAndRetrieve, mergeMetadata } from '../resource-routes.ts';

/** `/v1/charges` of the simulated Stripe API. Only the metadata of a charge can be changed. */
export const charges = () =>
  listAndRetrieve('charge', filterBy('customer', 'payment_intent')).post(
    '/:id',
    action({ metadata }, ({ ledger, id, params }) => {
      const charge = ledger.find('charge', id);
      charge.metadata = mergeMetadata(charge.metadata, params.metadata);
      ledger.emit('charge.updated', ledger.save(charge));
      return charge;
    }),
  );
