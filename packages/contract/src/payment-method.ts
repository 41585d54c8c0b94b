/** Payment methods that donors can choose, in the order in which a form lists them. `card` includes wallets. */
export const PAYMENT_METHOD_TYPES = ['card', 'paypal', 'sepa_debit', 'us_bank_account'] as const;
export type PaymentMethodType = (typeof PAYMENT_METHOD_TYPES)[number];

/** Bank debits, and the business days until their money usually arrives: https://docs.stripe.com/payments/bank-debits */
export const DEBIT_BUSINESS_DAYS = { sepa_debit: 5, us_bank_account: 4 } as const;
export type DebitType = keyof typeof DEBIT_BUSINESS_DAYS;

/** Whether a payment method is a bank debit: its money arrives days after the donor confirms. */
export const isDebit = (type: string | null | undefined): type is DebitType =>
  typeof type === 'string' && Object.hasOwn(DEBIT_BUSINESS_DAYS, type);

/**
 * Currencies in which Stripe takes a payment method; cards have all.
 * https://docs.stripe.com/payments/payment-methods/payment-method-support
 */
const CURRENCIES: Readonly<Record<Exclude<PaymentMethodType, 'card'>, readonly string[]>> = {
  paypal: [
    'aud',
    'cad',
    'chf',
    'czk',
    'dkk',
    'eur',
    'gbp',
    'hkd',
    'nok',
    'nzd',
    'pln',
    'sek',
    'sgd',
    'usd',
  ],
  sepa_debit: ['eur'],
  us_bank_account: ['usd'],
};

/** Whether donations in a currency can be paid with a payment method. */
export const fitsCurrency = (type: PaymentMethodType, currency: string): boolean =>
  type === 'card' || CURRENCIES[type].includes(currency);

/**
 * The payment methods to which Stripe is restricted for a donation. The form passes them to Stripe's fields, and
 * the API to the payment intent or subscription: both must have the same.
 *
 * PayPal is for one-time donations only, because Stripe enables later payments by PayPal apart from PayPal itself,
 * and reports only the latter: docs/decisions/0123-payment-methods.md
 *
 * @param offered what the form offers, as in `EmbedForm`
 */
export const allowedMethodTypes = (offered: readonly string[], isRecurring: boolean): string[] =>
  offered.filter((type) => !(isRecurring && type === 'paypal'));

/**
 * Stripe's options of the allowed payment methods. Donors verify a US bank account at once, by signing in to their bank.
 * Stripe's other way, small deposits that a donor has to report days later, would leave payments open that nobody
 * completes. Stripe's fields and the payment intent, subscription or setup intent must have the same.
 */
export const methodOptions = (allowed: readonly string[]) =>
  allowed.includes('us_bank_account')
    ? { us_bank_account: { verification_method: 'instant' as const } }
    : {};
