/** Labels of Stripe's payment method types. */
export const PAYMENT_METHOD_LABELS: Readonly<Record<string, string>> = {
  card: 'Card',
  link: 'Link',
  us_bank_account: 'US bank account',
  acss_debit: 'Canadian bank account',
  sepa_debit: 'SEPA direct debit',
  bacs_debit: 'Bacs direct debit',
  au_becs_debit: 'BECS direct debit',
  ideal: 'iDEAL',
  bancontact: 'Bancontact',
  cashapp: 'Cash App Pay',
  paypal: 'PayPal',
};

/** Labels of Stripe's card brands. */
export const CARD_BRAND_LABELS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/**
 * Returns the label of the saved payment method of a recurring donation: `visa 4242` becomes `Visa •••• 4242`, and
 * `sepa_debit 3201` becomes `SEPA direct debit •••• 3201`.
 */
export function savedMethodLabel(saved: string | null): string | null {
  if (saved === null) return null;
  const [type = '', lastDigits] = saved.split(' ');
  const name = PAYMENT_METHOD_LABELS[type] ?? CARD_BRAND_LABELS[type] ?? type.replaceAll('_', ' ');
  return lastDigits ? `${name} •••• ${lastDigits}` : name;
}

interface PaymentMethodFields {
  payment_method: string | null;
  card_brand: string | null;
}

/**
 * Returns the label of a payment method, for example `Card (Visa)`; null if the payment method is
 * unknown.
 */
export function paymentMethodLabel({
  payment_method: method,
  card_brand: brand,
}: PaymentMethodFields): string | null {
  if (method === null) return null;
  const name = PAYMENT_METHOD_LABELS[method] ?? method.replaceAll('_', ' ');
  return brand ? `${name} (${CARD_BRAND_LABELS[brand] ?? brand})` : name;
}
