/** Kinds of transactions in a payout that people tell apart, in the order in which a summary lists them. */
export const BALANCE_TRANSACTION_KINDS = [
  'donation',
  'payment',
  'failedPayment',
  'refund',
  'failedRefund',
  'dispute',
  'disputeReversal',
  'fee',
  'tax',
  'earlierPayout',
  'returnedPayout',
  'reserve',
  'transfer',
  'topUp',
  'contribution',
  'financing',
  'adjustment',
] as const;
export type BalanceTransactionKind = (typeof BALANCE_TRANSACTION_KINDS)[number];

/** Stripe's reporting categories: https://docs.stripe.com/reports/reporting-categories */
const KINDS: Readonly<Record<string, BalanceTransactionKind>> = {
  charge: 'payment',
  charge_failure: 'failedPayment',
  partial_capture_reversal: 'failedPayment',
  refund: 'refund',
  refund_failure: 'failedRefund',
  dispute: 'dispute',
  dispute_reversal: 'disputeReversal',
  fee: 'fee',
  network_cost: 'fee',
  tax: 'tax',
  tax_withholding: 'tax',
  payout: 'earlierPayout',
  payout_reversal: 'returnedPayout',
  risk_reserved_funds: 'reserve',
  connect_reserved_funds: 'reserve',
  payment_network_reserved_funds: 'reserve',
  payment_network_reserve_hold: 'reserve',
  payment_network_reserve_release: 'reserve',
  minimum_balance_hold: 'reserve',
  payout_minimum_balance_hold: 'reserve',
  payout_minimum_balance_release: 'reserve',
  transfer: 'transfer',
  transfer_reversal: 'transfer',
  connect_collection_transfer: 'transfer',
  topup: 'topUp',
  topup_reversal: 'topUp',
  contribution: 'contribution',
  climate_order_purchase: 'contribution',
  climate_order_refund: 'contribution',
  advance: 'financing',
  advance_funding: 'financing',
  anticipation_repayment: 'financing',
  financing_paydown: 'financing',
  financing_paydown_reversal: 'financing',
  financing_payout: 'financing',
  financing_payout_reversal: 'financing',
};

/** Names the kind of a transaction. A category that Stripe adds later is an adjustment until it has a kind here. */
export function balanceTransactionKind({
  reporting_category: category,
  donation_id,
}: {
  reporting_category: string;
  donation_id: string | null;
}): BalanceTransactionKind {
  if (category === 'charge' && donation_id !== null) return 'donation';
  return (Object.hasOwn(KINDS, category) && KINDS[category]) || 'adjustment';
}
