import { fitsCurrency } from '../method-currencies.ts';

type Options = { allowedPaymentMethodTypes?: string[]; currency?: string };

/**
 * The payment methods of `elements()` that fit its currency, in the order of the Payment Element's option. Without a
 * list these are cards, as on the server (`payment-method-types.ts`).
 */
export function offeredMethods(
  { allowedPaymentMethodTypes: allowed = ['card'], currency }: Options,
  order: readonly string[],
): string[] {
  const ordered = [...order.filter((type) => allowed.includes(type)), ...allowed];
  return [...new Set(ordered)].filter((type) => fitsCurrency(type, currency));
}
