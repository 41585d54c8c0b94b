import { newId } from '../ids.ts';
import type { Plan, Price, Product } from '../stripe-types.ts';

export type Interval = 'day' | 'week' | 'month' | 'year';

type PriceInput = {
  currency: string;
  product: string;
  unit_amount: number;
  recurring?: { interval: Interval; interval_count: number } | undefined;
  nickname?: string | undefined;
  metadata?: Record<string, string> | undefined;
  /** False for a price that was created inline by a subscription. */
  active?: boolean;
};

/** The JSON has text; the type is that of the Stripe client, which converts the text. */
const decimal = (amount: number) => String(amount) as unknown as Price['unit_amount_decimal'];

export const newPrice = (created: number, input: PriceInput): Price => ({
  id: newId('price'),
  object: 'price',
  active: input.active ?? true,
  billing_scheme: 'per_unit',
  created,
  currency: input.currency,
  custom_unit_amount: null,
  livemode: false,
  lookup_key: null,
  metadata: input.metadata ?? {},
  nickname: input.nickname ?? null,
  product: input.product,
  recurring: input.recurring
    ? { ...input.recurring, meter: null, trial_period_days: null, usage_type: 'licensed' }
    : null,
  tax_behavior: 'unspecified',
  tiers_mode: null,
  transform_quantity: null,
  type: input.recurring ? 'recurring' : 'one_time',
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

type ProductInput = {
  /** Stripe accepts custom product ids. */
  id?: string | undefined;
  name: string;
  description?: string | undefined;
  metadata?: Record<string, string> | undefined;
  statement_descriptor?: string | undefined;
};

export const newProduct = (created: number, input: ProductInput): Product => ({
  id: input.id ?? newId('prod'),
  object: 'product',
  active: true,
  created,
  default_price: null,
  description: input.description ?? null,
  images: [],
  livemode: false,
  marketing_features: [],
  metadata: input.metadata ?? {},
  name: input.name,
  package_dimensions: null,
  shippable: null,
  statement_descriptor: input.statement_descriptor ?? null,
  tax_code: null,
  tax_details: null,
  type: 'service',
  unit_label: null,
  updated: created,
  url: null,
});
