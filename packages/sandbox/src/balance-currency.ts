import { findAccount } from './accounts.ts';
import type { Ledger } from './ledger.ts';
import { currencyDecimals } from './money.ts';
import { accountIdOf } from './own-accounts.ts';

/** US dollars for one unit of a currency. Fixed, so that tests are repeatable. Other currencies count as a dollar. */
const DOLLARS: Readonly<Record<string, number>> = {
  aud: 0.65,
  cad: 0.75,
  chf: 1.1,
  eur: 1.1,
  gbp: 1.25,
  jpy: 0.007,
  kwd: 3.25,
  mxn: 0.05,
};

/**
 * Converts an amount in minor units to the currency of the account's balance, as Stripe does with each payment,
 * refund and dispute in another currency.
 */
export function convertToBalance(ledger: Ledger, amount: number, currency: string) {
  const { default_currency: target = currency } = findAccount(ledger, accountIdOf(ledger.account));
  if (target === currency) return { amount, currency, exchange_rate: null };
  const exchange_rate = (DOLLARS[currency] ?? 1) / (DOLLARS[target] ?? 1);
  const decimals = currencyDecimals(target) - currencyDecimals(currency);
  return {
    amount: Math.round(amount * exchange_rate * 10 ** decimals),
    currency: target,
    exchange_rate,
  };
}
