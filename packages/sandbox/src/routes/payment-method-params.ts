/** Parameters with which a payment or setup intent gets its payment method, and what they resolve to. */
import type { Ledger } from '../ledger.ts';
import { testAccountForToken } from '../bank-accounts.ts';
import { type CardInput, testCardForToken } from '../cards.ts';
import {
  type PaymentAttempt,
  paypalAttempt,
  typedCardAttempt,
  typedDebitAttempt,
} from '../payment-methods.ts';
import type { BillingDetails } from '../objects/payment-method.ts';
import {
  fields,
  flag,
  integer,
  oneOf,
  type Reader,
  type readParams,
  required,
  text,
  texts,
} from '../params.ts';
import { StripeError, invalidParamError } from '../stripe-error.ts';

/** Parses the expiration year; two digits, as on the card, mean a year of this century. */
const year: Reader<number> = (value, name) => {
  const number = integer(value, name);
  return number < 100 ? number + 2000 : number;
};

const billing = fields({ name: text, email: text });

const methodData = fields({
  type: oneOf('card', 'paypal', 'sepa_debit', 'us_bank_account'),
  card: fields({
    number: text,
    exp_month: integer,
    exp_year: year,
    cvc: text,
  }),
  sepa_debit: fields({ iban: text }),
  us_bank_account: fields({ routing_number: text, account_number: text }),
  billing_details: billing,
});

export const METHOD_PARAMS = {
  payment_method: text,
  payment_method_data: methodData,
  return_url: text,
  use_stripe_sdk: flag,
  expand: texts,
};

/** Parameters of a payment method that creation and confirmation have in common. */
export type ConfirmParams = Partial<
  Pick<
    ReturnType<typeof readParams<typeof METHOD_PARAMS>>,
    'payment_method' | 'payment_method_data' | 'return_url' | 'expand'
  >
>;

type MethodData = NonNullable<ConfirmParams['payment_method_data']>;

/**
 * Resolves the payment method of an attempt: one that was entered in our own frame, or a test token.
 *
 * @throws {StripeError} 402 if a server sends a card number, as at Stripe
 */
export function resolveAttempt(
  ledger: Ledger,
  { payment_method_data: typed, payment_method: token, return_url }: ConfirmParams,
  browser: boolean,
): PaymentAttempt {
  if (typed) return { ...typedAttempt(ledger, typed, browser), returnUrl: return_url };
  if (!token) throw missingMethodError();
  const attempt = testTokenAttempt(ledger, token);
  if (attempt) return attempt;
  throw invalidParamError(
    'payment_method',
    `${token} is not a test token. The sandbox charges saved payment methods only for subscriptions.`,
  );
}

/** Stores the payment method of a test token. Each use of a token creates a new one. */
export function testTokenAttempt(ledger: Ledger, token: string): PaymentAttempt | undefined {
  const card = testCardForToken(token);
  if (card) return typedCardAttempt(ledger, card, toBillingDetails(undefined));
  const account = testAccountForToken(token);
  if (!account) return undefined;
  const donor = { name: 'Jenny Rosen', email: 'jenny@example.com' };
  return typedDebitAttempt(ledger, account, toBillingDetails(donor));
}

function typedAttempt(ledger: Ledger, data: MethodData, browser: boolean): PaymentAttempt {
  const billingDetails = toBillingDetails(data.billing_details);
  if (data.type === 'paypal') return paypalAttempt(ledger, billingDetails);
  if (data.type === 'sepa_debit') {
    requireBillingDetails(billingDetails, 'name', 'email');
    const iban = required(data.sepa_debit?.iban, 'payment_method_data[sepa_debit][iban]');
    const account = { type: data.type, iban: iban.replaceAll(' ', '').toUpperCase() };
    return typedDebitAttempt(ledger, account, billingDetails);
  }
  if (data.type === 'us_bank_account') {
    requireBillingDetails(billingDetails, 'name');
    const { routing_number, account_number } = data.us_bank_account ?? {};
    const name = 'payment_method_data[us_bank_account]';
    const account = {
      type: data.type,
      routing_number: required(routing_number, `${name}[routing_number]`),
      account_number: required(account_number, `${name}[account_number]`),
    };
    return typedDebitAttempt(ledger, account, billingDetails);
  }
  return typedCardAttempt(ledger, typedCard(data.card, browser), billingDetails);
}

/** A mandate names the donor, so Stripe rejects a debit without these fields. */
function requireBillingDetails(details: BillingDetails, ...names: ('name' | 'email')[]) {
  for (const name of names) {
    required(details[name] ?? undefined, `payment_method_data[billing_details][${name}]`);
  }
}

function typedCard(card: MethodData['card'], browser: boolean): CardInput {
  if (!card) throw missingMethodError();
  if (!browser) throw rawCardNumberError();
  return {
    number: required(card.number, 'payment_method_data[card][number]').replaceAll(/[ -]/g, ''),
    exp_month: required(card.exp_month, 'payment_method_data[card][exp_month]'),
    exp_year: required(card.exp_year, 'payment_method_data[card][exp_year]'),
    cvc: required(card.cvc, 'payment_method_data[card][cvc]'),
  };
}

function toBillingDetails(input: ReturnType<typeof billing> | undefined): BillingDetails {
  const none = {
    city: null,
    country: null,
    line1: null,
    line2: null,
    postal_code: null,
    state: null,
  };
  return {
    address: none,
    email: input?.email || null,
    name: input?.name || null,
    phone: null,
    tax_id: null,
  };
}

const missingMethodError = () =>
  invalidParamError(
    'payment_method',
    "You cannot confirm this PaymentIntent because it's missing a payment method. Update the PaymentIntent with a payment method and then confirm it again.",
    'payment_intent_unexpected_state',
  );

const rawCardNumberError = () =>
  new StripeError(402, {
    type: 'invalid_request_error',
    message:
      'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://docs.stripe.com/testing.',
  });
