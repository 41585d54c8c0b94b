/** Parameters of the subscription routes of the simulated Stripe API. */
import {
  nullable,
  fields,
  ignored,
  list,
  metadata,
  oneOf,
  type readParams,
  text,
  texts,
} from '../params.ts';
import { priceData } from './catalog.ts';

const item = fields({ id: text, price_data: priceData });

const SHARED_PARAMS = {
  items: list(item),
  metadata,
  payment_settings: fields({
    payment_method_types: nullable(texts),
    payment_method_options: ignored,
    save_default_payment_method: oneOf('off', 'on_subscription'),
  }),
};

export const CREATE_PARAMS = {
  ...SHARED_PARAMS,
  customer: text,
  payment_behavior: oneOf('default_incomplete'),
};

export const UPDATE_PARAMS = {
  ...SHARED_PARAMS,
  default_payment_method: text,
  proration_behavior: oneOf('none'),
  pause_collection: nullable(fields({ behavior: oneOf('void') })),
  billing_cycle_anchor: fields({ type: oneOf('now') }),
};

export type CreateParams = ReturnType<typeof readParams<typeof CREATE_PARAMS>>;
export type UpdateParams = ReturnType<typeof readParams<typeof UPDATE_PARAMS>>;
export type ItemParams = ReturnType<typeof item>;
