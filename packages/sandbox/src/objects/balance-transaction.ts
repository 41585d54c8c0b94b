import { newId } from '../ids.ts';
import type { BalanceTransaction } from '../stripe-types.ts';

/** The funds of a card payment become available after two days. */
const AVAILABLE_AFTER_SECONDS = 2 * 24 * 60 * 60;

type Input = Pick<BalanceTransaction, 'amount' | 'currency' | 'type'> & {
  source: string | null;
  fee?: number;
  /** True if the amount is not available for payouts yet. */
  isPending?: boolean;
  fee_description?: string;
  reporting_category?: string;
  description?: string | null;
  /** The rate at which the amount was converted to the currency of the balance. */
  exchange_rate?: number | null;
};

/** Creates an entry of an account's balance in Stripe's format; the fee is deducted in `net`. */
export function newBalanceTransaction(created: number, input: Input): BalanceTransaction {
  const { amount, currency, type, source, fee = 0, description = null } = input;
  const isPending = input.isPending ?? false;
  return {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: isPending ? created + AVAILABLE_AFTER_SECONDS : created,
    balance_type: 'payments',
    created,
    currency,
    description,
    exchange_rate: input.exchange_rate ?? null,
    fee,
    fee_details: fee ? [feeDetail(fee, currency, input.fee_description)] : [],
    net: amount - fee,
    reporting_category: input.reporting_category ?? type,
    source,
    status: isPending ? 'pending' : 'available',
    type,
  };
}

const feeDetail = (amount: number, currency: string, description = 'Stripe processing fees') => ({
  amount,
  application: null,
  currency,
  description,
  type: 'stripe_fee',
});
