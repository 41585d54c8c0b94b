/** Parameters of the payment intent routes of the simulated Stripe API, and their conversion to fields. */
import type { Ledger } from '../ledger.ts';
import type { IntentInput } from '../objects/payment-intent.ts';
import { offeredMethodTypes } from '../payment-method-types.ts';
import { amount, currency } from '../money.ts';
import {
  email,
  fields,
  flag,
  ignored,
  integer,
  metadata,
  oneOf,
  type readParams,
  text,
  texts,
} from '../params.ts';
import type { PaymentIntent } from '../stripe-types.ts';
import { invalidParamError } from '../stripe-error.ts';
import { METHOD_PARAMS } from './payment-method-params.ts';

/** Which payment methods an intent offers. `methodTypeFields` checks the combination and computes the result. */
export const METHOD_TYPE_PARAMS = {
  allowed_payment_method_types: texts,
  automatic_payment_methods: fields({ enabled: flag, allow_redirects: oneOf('always', 'never') }),
};

type MethodTypeParams = ReturnType<typeof readParams<typeof METHOD_TYPE_PARAMS>>;

/**
 * Returns the fields of an intent that say which payment methods it offers.
 *
 * @param currency undefined for a setup intent
 * @throws {StripeError} 400 if parameters exclude each other, or no method remains
 */
export function methodTypeFields(
  ledger: Ledger,
  { allowed_payment_method_types: allowed, automatic_payment_methods: automatic }: MethodTypeParams,
  currency?: string,
) {
  if (allowed && automatic) {
    throw invalidParamError(
      'allowed_payment_method_types',
      'You may only specify one of these parameters: allowed_payment_method_types, automatic_payment_methods.',
      'parameters_exclusive',
    );
  }
  const { enabled, allow_redirects = 'always' } = automatic ?? {};
  return {
    allowed_payment_method_types: allowed ?? null,
    automatic_payment_methods: enabled === undefined ? null : { enabled, allow_redirects },
    payment_method_types: offeredMethodTypes(ledger, allowed ?? null, currency),
  };
}

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
  payment_method_options: ignored,
  customer: text,
};

export const CREATE_PARAMS = {
  ...INTENT_PARAMS,
  ...METHOD_TYPE_PARAMS,
  ...METHOD_PARAMS,
  confirm: flag,
  capture_method: oneOf('automatic', 'automatic_async'),
  confirmation_method: oneOf('automatic'),
};

export const UPDATE_PARAMS = {
  ...INTENT_PARAMS,
  allowed_payment_method_types: texts,
  expand: texts,
};

export const CONFIRM_PARAMS = {
  ...METHOD_PARAMS,
  client_secret: text,
  receipt_email: email,
  setup_future_usage: oneOf('off_session', 'on_session'),
  capture_method: oneOf('automatic', 'automatic_async'),
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
  'allowed_payment_method_types',
  'capture_method',
  'customer',
] as const satisfies readonly (keyof CreateParams & keyof PaymentIntent)[];

export const intentFields = (params: CreateParams): Partial<IntentInput> =>
  Object.fromEntries(
    COPIED_PARAMS.filter((name) => params[name] !== undefined).map((name) => [name, params[name]]),
  );
