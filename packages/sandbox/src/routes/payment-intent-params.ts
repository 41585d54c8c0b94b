/** Parameters of the payment intent routes of the simulated Stripe API, and their conversion to fields. */
import type { IntentInput } from '../objects/payment-intent.ts';
import { amount, currency } from '../money.ts';
import {
  email,
  fields,
  flag,
  ignored,
  integer,
  metadata,
  unsupportedReader,
  oneOf,
  type Reader,
  type readParams,
  text,
  texts,
} from '../params.ts';
import type { PaymentIntent } from '../stripe-types.ts';
import { invalidParamError } from '../stripe-error.ts';
import { METHOD_PARAMS } from './payment-method-params.ts';

export const onlyCards: Reader<string[]> = (value, name) => {
  const types = texts(value, name);
  if (types.length === 1 && types[0] === 'card') return types;
  throw invalidParamError(name, 'The sandbox supports one payment method type: card.');
};

const INTENT_PARAMS = {
  amount,
  currency,
  metadata,
  description: text,
  receipt_email: email,
  statement_descriptor: text,
  statement_descriptor_suffix: text,
  transfer_group: text,
  application_fee_amount: integer,
  setup_future_usage: oneOf('off_session', 'on_session'),
  payment_method_types: onlyCards,
  payment_method_options: ignored,
  customer: text,
  on_behalf_of: unsupportedReader,
  transfer_data: unsupportedReader,
  shipping: unsupportedReader,
};

export const CREATE_PARAMS = {
  ...INTENT_PARAMS,
  ...METHOD_PARAMS,
  confirm: flag,
  automatic_payment_methods: fields({ enabled: flag, allow_redirects: oneOf('always', 'never') }),
  capture_method: oneOf('automatic', 'automatic_async'),
  confirmation_method: oneOf('automatic'),
};

export const UPDATE_PARAMS = { ...INTENT_PARAMS, expand: texts };

export const CONFIRM_PARAMS = {
  ...METHOD_PARAMS,
  client_secret: text,
  receipt_email: email,
  setup_future_usage: oneOf('off_session', 'on_session'),
  capture_method: oneOf('automatic', 'automatic_async'),
  payment_method_types: onlyCards,
  payment_method_options: ignored,
};

export const CANCEL_PARAMS = {
  cancellation_reason: oneOf('abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'),
  expand: texts,
};

type CreateParams = ReturnType<typeof readParams<typeof CREATE_PARAMS>>;

/** Parameters that are copied to the field of the same name. */
const COPIED_PARAMS = [
  'amount',
  'currency',
  'metadata',
  'description',
  'receipt_email',
  'statement_descriptor',
  'statement_descriptor_suffix',
  'transfer_group',
  'application_fee_amount',
  'setup_future_usage',
  'payment_method_types',
  'capture_method',
  'customer',
] as const satisfies readonly (keyof CreateParams & keyof PaymentIntent)[];

export function intentFields(params: CreateParams): Partial<IntentInput> {
  const { automatic_payment_methods: automatic } = params;
  const sentParams = COPIED_PARAMS.filter((name) => params[name] !== undefined);
  const same: Partial<IntentInput> = Object.fromEntries(
    sentParams.map((name) => [name, params[name]]),
  );
  if (automatic?.enabled === undefined) return same;
  const { enabled, allow_redirects = 'always' } = automatic;
  return { ...same, automatic_payment_methods: { enabled, allow_redirects } };
}
