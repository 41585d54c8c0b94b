import { filterBy, listAndRetrieve, updateMetadata } from '../resource-routes.ts';

/** `/v1/charges` of the simulated Stripe API. */
export const charges = () =>
  listAndRetrieve('charge', filterBy('customer', 'payment_intent')).post(
    '/:id',
    updateMetadata('charge'),
  );
