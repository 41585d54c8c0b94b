/** Labels of Stripe's payment method types. */
export const PAYMENT_METHODS: Readonly<Record<string, string>> = {
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

const CARD_BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

interface Method {
  payment_method: string | null;
  card_brand: string | null;
}

/** Label of the payment method, for example `Card (Visa)`. Null if it is unknown. */
export function methodText({ payment_method: method, card_brand: brand }: Method): string | null {
  if (method === null) return null;
  const name = PAYMENT_METHODS[method] ?? method.replaceAll('_', ' ');
  return brand ? `${name} (${CARD_BRANDS[brand] ?? brand})` : name;
}
