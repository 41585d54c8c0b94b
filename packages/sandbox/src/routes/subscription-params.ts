/** Parameters of the subscription routes of the simulated Stripe API. */
import {
  nullable,
  fields,
  flag,
  ignored,
  integer,
  list,
  metadata,
  oneOf,
  type readParams,
  text,
  texts,
} from '../params.ts';
import { priceData } from './catalog.ts';

const item = fields({ id: text, price: text, price_data: priceData, quantity: integer });

const cancellation = fields({
  comment: text,
  feedback: oneOf(
    'customer_service',
    'low_quality',
    'missing_features',
    'other',
    'switched_service',
    'too_complex',
    'too_expensive',
    'unused',
  ),
});

const SHARED_PARAMS = {
  items: list(item),
  metadata,
  description: text,
  default_payment_method: text,
  payment_behavior: oneOf('default_incomplete', 'allow_incomplete', 'error_if_incomplete'),
  payment_settings: fields({
    payment_method_types: nullable(texts),
    payment_method_options: ignored,
    save_default_payment_method: oneOf('off', 'on_subscription'),
  }),
  proration_behavior: oneOf('none', 'create_prorations', 'always_invoice'),
  cancel_at_period_end: flag,
  collection_method: oneOf('charge_automatically'),
  off_session: flag,
};

export const CREATE_PARAMS = {
  ...SHARED_PARAMS,
  customer: text,
  currency: text,
  billing_mode: ignored,
};

export const UPDATE_PARAMS = {
  ...SHARED_PARAMS,
  pause_collection: nullable(
    fields({ behavior: oneOf('keep_as_draft', 'mark_uncollectible', 'void'), resumes_at: integer }),
  ),
  cancel_at: nullable(integer),
  cancellation_details: cancellation,
  billing_cycle_anchor: fields({ type: oneOf('now', 'unchanged') }),
};

export const CANCEL_PARAMS = {
  cancellation_details: cancellation,
  prorate: oneOf('false'),
};

export type CreateParams = ReturnType<typeof readParams<typeof CREATE_PARAMS>>;
export type UpdateParams = ReturnType<typeof readParams<typeof UPDATE_PARAMS>>;
export type ItemParams = ReturnType<typeof item>;
