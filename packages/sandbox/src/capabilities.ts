/** The capability that an account needs for a payment method. */
export const CAPABILITIES = {
  card: 'card_payments',
  link: 'link_payments',
  paypal: 'paypal_payments',
  sepa_debit: 'sepa_debit_payments',
  us_bank_account: 'us_bank_account_ach_payments',
} as const;

export type MethodType = keyof typeof CAPABILITIES;
export type Capability = (typeof CAPABILITIES)[MethodType];
