/** Parameters of the payment intent routes of the simulated Stripe API. */
import type { Ledger } from '../ledger.ts';
import { offeredMethodTypes } from '../payment-method-types.ts';
import { amount, currency } from '../money.ts';
import { fields, flag, ignored, metadata, oneOf, type readParams, text, texts } from '../params.ts';
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

export const CREATE_PARAMS = {
  ...METHOD_TYPE_PARAMS,
  ...METHOD_PARAMS,
  amount,
  currency,
  metadata,
  description: text,
  payment_method_options: ignored,
  confirm: flag,
};

export const UPDATE_PARAMS = { metadata, allowed_payment_method_types: texts, expand: texts };

export const CONFIRM_PARAMS = { ...METHOD_PARAMS, client_secret: text };

export const CANCEL_PARAMS = { cancellation_reason: oneOf('abandoned'), expand: texts };
