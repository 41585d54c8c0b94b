/** Payment methods that donors can choose, in the order in which a form lists them. `card` includes wallets. */
export const PAYMENT_METHOD_TYPES = ['card', 'paypal', 'sepa_debit', 'us_bank_account'] as const;
export type PaymentMethodType = (typeof PAYMENT_METHOD_TYPES)[number];

/** Bank debits, and the business days until their money usually arrives: https://docs.stripe.com/payments/bank-debits */
export const DEBIT_BUSINESS_DAYS = { sepa_debit: 5, us_bank_account: 4 } as const;
export type DebitType = keyof typeof DEBIT_BUSINESS_DAYS;

/** Whether a payment method is a bank debit: its money arrives days after the donor confirms. */
export const isDebit = (type: string | null | undefined): type is DebitType =>
  typeof type === 'string' && Object.hasOwn(DEBIT_BUSINESS_DAYS, type);
