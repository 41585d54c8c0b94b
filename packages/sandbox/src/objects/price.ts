import { newId } from '../ids.ts';
import type { Plan, Price, Product } from '../stripe-types.ts';

type PriceInput = {
  currency: string;
  product: string;
  unit_amount: number;
  recurring: { interval: 'month' | 'year'; interval_count: number };
};

/** The JSON has text; the type is that of the Stripe client, which converts the text. */
const decimal = (amount: number) => String(amount) as unknown as Price['unit_amount_decimal'];

/** Creates the price of one subscription in Stripe's format, which no other may use. */
export const newPrice = (created: number, input: PriceInput): Price => ({
  id: newId('price'),
  object: 'price',
  active: false,
  billing_scheme: 'per_unit',
  created,
  currency: input.currency,
  custom_unit_amount: null,
  livemode: false,
  lookup_key: null,
  metadata: {},
  nickname: null,
  product: input.product,
  recurring: { ...input.recurring, meter: null, trial_period_days: null, usage_type: 'licensed' },
  tax_behavior: 'unspecified',
  tiers_mode: null,
  transform_quantity: null,
  type: 'recurring',
  unit_amount: input.unit_amount,
  unit_amount_decimal: decimal(input.unit_amount),
});

/** Converts a price to a plan, its predecessor in Stripe's API: subscription items contain both. */
export const toPlan = (price: Price): Plan => ({
  id: price.id,
  object: 'plan',
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: price.unit_amount_decimal,
  billing_scheme: 'per_unit',
  created: price.created,
  currency: price.currency,
  interval: price.recurring?.interval ?? 'month',
  interval_count: price.recurring?.interval_count ?? 1,
  livemode: false,
  metadata: price.metadata,
  meter: null,
  nickname: price.nickname,
  product: price.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
});

/** Creates a product in Stripe's format, which accepts custom ids. */
export const newProduct = (created: number, name: string, id = newId('prod')): Product => ({
  id,
  object: 'product',
  active: true,
  created,
  default_price: null,
  description: null,
  images: [],
  livemode: false,
  marketing_features: [],
  metadata: {},
  name,
  package_dimensions: null,
  shippable: null,
  statement_descriptor: null,
  tax_code: null,
  tax_details: null,
  type: 'service',
  unit_label: null,
  updated: created,
  url: null,
});
