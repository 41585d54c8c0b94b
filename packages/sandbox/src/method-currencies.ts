/** Currencies of methods that do not accept all: https://docs.stripe.com/payments/payment-methods/payment-method-support */
const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  sepa_debit: ['eur'],
  us_bank_account: ['usd'],
  paypal: 'aud cad chf czk dkk eur gbp hkd nok nzd pln sek sgd usd'.split(' '),
};

/** @param currency undefined for a setup intent, which has none */
export const fitsCurrency = (type: string, currency: string | undefined) =>
  currency === undefined || (CURRENCIES[type]?.includes(currency) ?? true);
