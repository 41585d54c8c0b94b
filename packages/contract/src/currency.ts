/**
 * Number of decimals in the minor unit of each currency, as Stripe counts them.
 *
 * This is Stripe's table and not ICU's: they differ for 19 currencies (ISK, UGX, HUF, …), and with
 * the wrong table an amount is wrong by a factor of 100. Source: Stripe, "Supported currencies" and
 * its special cases. That page lists UGX among the currencies without decimals, but counts it in
 * hundredths.
 */
const ZERO_DECIMAL = /^(bif|clp|djf|gnf|jpy|kmf|krw|mga|pyg|rwf|vnd|vuv|xaf|xof|xpf)$/i;
const THREE_DECIMAL = /^(bhd|jod|kwd|omr|tnd)$/i;

/**
 * Decimals of a currency's minor unit: 2 for `usd`, 0 for `jpy`, 3 for `kwd`.
 *
 * @param currency ISO 4217 code in any case
 */
export function currencyDecimals(currency: string): 0 | 2 | 3 {
  if (ZERO_DECIMAL.test(currency)) return 0;
  return THREE_DECIMAL.test(currency) ? 3 : 2;
}

/**
 * Amounts must be whole units but are counted in hundredths: "to charge 5 UGX, provide an amount
 * value of 500".
 */
const WHOLE_IN_HUNDREDTHS = /^(isk|ugx)$/i;

/**
 * The smallest step between amounts that can be charged, in minor units.
 *
 * Stripe requires a last digit of 0 for three decimals, and whole units for ISK and UGX.
 */
export function currencyStep(currency: string): 1 | 10 | 100 {
  if (WHOLE_IN_HUNDREDTHS.test(currency)) return 100;
  return currencyDecimals(currency) === 3 ? 10 : 1;
}

/**
 * The symbol of a currency, and whether the language writes it after the number.
 *
 * @param zero the formatted amount 0, without decimals: `$0`, `0 €`
 */
export function currencySymbol(zero: string): { symbol: string; isSuffix: boolean } {
  const visible = zero.replace(/\p{Bidi_Control}/gu, '');
  return {
    symbol: visible.replace(/\p{Nd}/u, '').trim(),
    isSuffix: /^\p{Nd}/u.test(visible),
  };
}
