import type { Ledger } from '../ledger.ts';
import { type Interval, newPrice, newProduct } from '../objects/price.ts';
import { fields, flag, ignored, integer, metadata, oneOf, required, text } from '../params.ts';
import { currency } from '../money.ts';
import { action, filterBy, mergeMetadata, listAndRetrieve } from '../resource-routes.ts';
import { invalidParamError, StripeError } from '../stripe-error.ts';

const recurring = fields({
  interval: oneOf('day', 'week', 'month', 'year'),
  interval_count: integer,
  usage_type: oneOf('licensed'),
});

const PRODUCT_PARAMS = {
  name: text,
  description: text,
  metadata,
  active: flag,
  statement_descriptor: text,
  type: ignored,
};

/**
 * `/v1/products` of the simulated Stripe API: products, whose names describe donations on invoices.
 */
export const products = () =>
  listAndRetrieve('product', filterBy('active'))
    .post(
      '/',
      action({ ...PRODUCT_PARAMS, id: text }, ({ ledger, params }) => {
        requireUnusedId(ledger, params.id);
        const product = ledger.add(
          newProduct(ledger.now(), { ...params, name: required(params.name, 'name') }),
        );
        ledger.emit('product.created', product);
        return product;
      }),
    )
    .post(
      '/:id',
      action(PRODUCT_PARAMS, ({ ledger, id, params }) => {
        const product = ledger.find('product', id);
        const { metadata: metadataChange, type: _, ...rest } = params;
        Object.assign(product, rest, {
          metadata: mergeMetadata(product.metadata, metadataChange),
          updated: ledger.now(),
        });
        ledger.save(product);
        ledger.emit('product.updated', product);
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

export const priceData = fields({
  currency,
  product: text,
  unit_amount: integer,
  recurring,
  tax_behavior: ignored,
});

const PRICE_PARAMS = {
  currency,
  product: text,
  unit_amount: integer,
  recurring,
  nickname: text,
  metadata,
  tax_behavior: ignored,
};

/** `/v1/prices`: an amount and its billing interval. */
export const prices = () =>
  listAndRetrieve('price', filterBy('product', 'currency'))
    .post(
      '/',
      action(PRICE_PARAMS, ({ ledger, params }) => {
        const price = createPrice(ledger, params);
        ledger.emit('price.created', price);
        return price;
      }),
    )
    .post(
      '/:id',
      action({ active: flag, nickname: text, metadata }, ({ ledger, id, params }) => {
        const price = ledger.find('price', id);
        const { metadata: metadataChange, ...rest } = params;
        Object.assign(price, rest, { metadata: mergeMetadata(price.metadata, metadataChange) });
        ledger.save(price);
        ledger.emit('price.updated', price);
        return price;
      }),
    );

type PriceParams = Omit<NonNullable<ReturnType<typeof priceData>>, 'tax_behavior'> & {
  nickname?: string;
  metadata?: Record<string, string>;
};

/** @param active false for a price that is created inline by a subscription */
export function createPrice(ledger: Ledger, params: PriceParams, active = true) {
  const product = required(params.product, 'product');
  ledger.find('product', product, 'product');
  const unit_amount = required(params.unit_amount, 'unit_amount');
  if (unit_amount < 0) throw invalidParamError('unit_amount', 'Invalid non-negative integer');
  return ledger.add(
    newPrice(ledger.now(), {
      product,
      unit_amount,
      active,
      currency: required(params.currency, 'currency'),
      recurring: params.recurring && parseRecurring(params.recurring),
      nickname: params.nickname,
      metadata: params.metadata,
    }),
  );
}

/** Stripe's longest interval is three years. */
const MAX_INTERVAL_COUNT: Record<Interval, number> = { day: 1095, week: 156, month: 36, year: 3 };

function parseRecurring(input: NonNullable<PriceParams['recurring']>) {
  const interval = required(input.interval, 'recurring[interval]');
  const { interval_count = 1 } = input;
  if (interval_count >= 1 && interval_count <= MAX_INTERVAL_COUNT[interval])
    return { interval, interval_count };
  throw invalidParamError('recurring[interval_count]', 'The maximum interval is three years.');
}
