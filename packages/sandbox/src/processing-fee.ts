import { convertToBalance } from './balance-currency.ts';
import type { Ledger } from './ledger.ts';

/** Stripe's fee for a SEPA debit, in euro cents. */
const SEPA_FEE_CENTS = 35;

/** Stripe's largest fee for an ACH debit, in cents. */
const MAX_ACH_FEE_CENTS = 500;

/**
 * Stripe's list price for a payment in the United States: 2.9 % and 30 cents, 0.8 % for ACH, a fixed fee for SEPA.
 *
 * @param amount in the currency of the balance, like the result
 */
export function processingFee(ledger: Ledger, methodType: string, amount: number): number {
  if (methodType === 'us_bank_account') {
    return Math.min(Math.round(amount * 0.008), MAX_ACH_FEE_CENTS);
  }
  if (methodType === 'sepa_debit') return convertToBalance(ledger, SEPA_FEE_CENTS, 'eur').amount;
  return Math.round(amount * 0.029) + 30;
}
