/** The payment methods that the simulated Stripe offers: by capability of the account and by currency. */
import { findAccount } from './accounts.ts';
import { CAPABILITIES, type Capability, type MethodType } from './capabilities.ts';
import type { Ledger } from './ledger.ts';
import { fitsCurrency } from './method-currencies.ts';
import { accountIdOf } from './own-accounts.ts';
import { StripeError, invalidParamError } from './stripe-error.ts';

const isKnown = (type: string): type is MethodType => Object.hasOwn(CAPABILITIES, type);

const isActive = (ledger: Ledger, type: MethodType) => {
  const { capabilities } = findAccount(ledger, accountIdOf(ledger.account));
  return (capabilities as Partial<Record<Capability, string>>)[CAPABILITIES[type]] === 'active';
};

/**
 * Computes `payment_method_types` of an intent from its `allowed_payment_method_types`. What the account or the
 * currency does not permit is left out without an error, as at Stripe.
 *
 * Without a list, the payment method configuration of the Dashboard decides at Stripe. That of the sandbox
 * contains only cards.
 *
 * @param currency undefined for a setup intent
 * @throws {StripeError} 400 if no method remains
 */
export function offeredMethodTypes(
  ledger: Ledger,
  allowed: readonly string[] | null,
  currency?: string,
): string[] {
  if (!allowed) return ['card'];
  const offered = allowed.filter(
    (type) => isKnown(type) && isActive(ledger, type) && fitsCurrency(type, currency),
  );
  if (offered.length) return offered;
  throw new StripeError(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_invalid_parameter',
    param: 'allowed_payment_method_types',
    message:
      'No valid payment method types for this intent. Please ensure that you have activated payment methods compatible with your chosen currency in your dashboard (https://dashboard.stripe.com/settings/payment_methods).',
  });
}

/** @throws {StripeError} 400 for a method that the account or the currency does not permit, unlike for an intent */
export function requireActiveTypes(
  ledger: Ledger,
  types: readonly string[],
  currency: string,
  param: string,
) {
  const invalid = types.find(
    (type) => !isKnown(type) || !isActive(ledger, type) || !fitsCurrency(type, currency),
  );
  if (invalid === undefined) return;
  throw invalidParamError(
    param,
    `The payment method type provided: ${invalid} is invalid. Please ensure the provided type is activated in your dashboard (https://dashboard.stripe.com/account/payments/settings) and your account is enabled for any preview features that you are trying to use.`,
  );
}

/** @throws {StripeError} 400 if the intent does not offer the method with which it is confirmed */
export function requireOfferedType(offered: readonly string[], type: string) {
  if (offered.includes(type)) return;
  throw invalidParamError(
    'payment_method',
    `The PaymentMethod provided (${type}) is not allowed for this intent. Please attach a PaymentMethod of one of the following types: ${offered.join(', ')}.`,
    'payment_intent_incompatible_payment_method',
  );
}
