import type { ApiError, Intent } from './api.ts';

/** The options with which the page created the elements. */
export type ExpectedIntent = {
  mode: string;
  amount?: number | undefined;
  currency?: string | undefined;
};

/**
 * Compares the intent with the options of the elements, as Stripe does: nobody must pay another
 * amount than the page shows. @returns an error for the first difference
 */
export function findIntentMismatch(
  { mode, amount, currency }: ExpectedIntent,
  intent: Intent,
): ApiError | undefined {
  const isSetupIntent = intent.object === 'setup_intent';
  if (isSetupIntent !== (mode === 'setup')) {
    if (!isSetupIntent || mode === 'payment') return mismatchError('mode', intent.object, mode);
  }
  if (isSetupIntent) return undefined;
  if (amount !== intent.amount) return mismatchError('amount', intent.amount, amount);
  if (currency !== intent.currency) return mismatchError('currency', intent.currency, currency);
  // The intent of a subscription saves the payment method, which elements for one payment do not say.
  if (mode === 'payment' && intent.setup_future_usage)
    return mismatchError('setup_future_usage', intent.setup_future_usage, null);
  return undefined;
}

const mismatchError = (name: string, actual: unknown, expected: unknown): ApiError => ({
  type: 'invalid_request_error',
  message: `The ${name} of the intent (${String(actual)}) does not match the ${name} given to elements() (${String(expected)}). Call elements.update() first.`,
});
