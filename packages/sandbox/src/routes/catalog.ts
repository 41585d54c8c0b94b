import type { Ledger } from '../ledger.ts';
import { newPrice, newProduct } from '../objects/price.ts';
import { fields, integer, oneOf, required, text } from '../params.ts';
import { currency } from '../money.ts';
import { action, listAndRetrieve } from '../resource-routes.ts';
import { StripeError } from '../stripe-error.ts';
import type { Price } from '../stripe-types.ts';

/**
 * `/v1/products` of the simulated Stripe API: products, whose names describe donations on invoices.
 */
export const products = () =>
  listAndRetrieve('product').post(
    '/',
    action({ id: text, name: text }, ({ ledger, params }) => {
      requireUnusedId(ledger, params.id);
      const product = ledger.add(
        newProduct(ledger.now(), required(params.name, 'name'), params.id),
      );
      ledger.emit('product.created', product);
      return product;
    }),
  );

function requireUnusedId(ledger: Ledger, id: string | undefined): void {
  if (id === undefined || !ledger.listAll('product', { fields: { id } }).length) return;
  throw new StripeError(400, {
    type: 'invalid_request_error',
    code: 'resource_already_exists',
    message: 'Product already exists.',
  });
}

/** A price that a subscription creates for itself: an amount and its billing interval. */
export const priceData = fields({
  currency,
  product: text,
  unit_amount: integer,
  recurring: fields({ interval: oneOf('month', 'year'), interval_count: integer }),
});

export function createPrice(ledger: Ledger, params: ReturnType<typeof priceData>): Price {
  const product = required(params.product, 'product');
  ledger.find('product', product, 'product');
  const recurring = required(params.recurring, 'recurring');
  return ledger.add(
    newPrice(ledger.now(), {
      product,
      unit_amount: required(params.unit_amount, 'unit_amount'),
      currency: required(params.currency, 'currency'),
      recurring: {
        interval: required(recurring.interval, 'recurring[interval]'),
        interval_count: recurring.interval_count ?? 1,
      },
    }),
  );
}
