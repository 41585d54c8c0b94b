/** Parameters with which a payment or setup intent gets its payment method, and what they resolve to. */
import type { Ledger } from '../ledger.ts';
import { type CardInput, testCardForToken } from '../cards.ts';
import { type PaymentAttempt, typedCardAttempt, savedMethodAttempt } from '../attempt-payment.ts';
import type { BillingDetails } from '../objects/payment-method.ts';
import {
  fields,
  flag,
  ignored,
  integer,
  metadata,
  unsupportedReader,
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

export const address = fields({
  line1: text,
  line2: text,
  city: text,
  state: text,
  postal_code: text,
  country: text,
});

export const billing = fields({
  name: text,
  email: text,
  phone: text,
  tax_id: text,
  address,
});

const cardData = fields({
  type: oneOf('card'),
  card: fields({
    number: text,
    exp_month: integer,
    exp_year: year,
    cvc: text,
    token: unsupportedReader,
  }),
  billing_details: billing,
  allow_redisplay: ignored,
  metadata,
});

export const METHOD_PARAMS = {
  payment_method: text,
  payment_method_data: cardData,
  return_url: text,
  use_stripe_sdk: flag,
  off_session: flag,
  mandate: unsupportedReader,
  mandate_data: ignored,
  error_on_requires_action: unsupportedReader,
  expand: texts,
};

/** Card parameters that creation and confirmation have in common. */
export type ConfirmParams = Partial<
  Pick<
    ReturnType<typeof readParams<typeof METHOD_PARAMS>>,
    'payment_method' | 'payment_method_data' | 'off_session' | 'expand'
  >
>;

type TypedCard = NonNullable<ConfirmParams['payment_method_data']>['card'];

/**
 * Resolves the card of an attempt: a card that was entered in our own frame, a test token, or a
 * saved card.
 *
 * @throws {StripeError} 402 if a server sends a card number, as at Stripe
 */
export function resolveAttempt(
  ledger: Ledger,
  params: ConfirmParams,
  owner: { customer: unknown; payment_method: unknown },
  browser: boolean,
): PaymentAttempt {
  const { payment_method_data: typed, off_session } = params;
  const billingDetails = toBillingDetails(typed?.billing_details);
  if (typed) return typedCardAttempt(ledger, typedCard(typed.card, browser), billingDetails);
  const id = params.payment_method ?? owner.payment_method;
  if (typeof id !== 'string') throw missingCardError();
  const token = testCardForToken(id);
  if (token) return typedCardAttempt(ledger, token, billingDetails);
  const attempt = savedMethodAttempt(ledger, id, off_session ? 'offSessionOutcome' : 'outcome');
  if (attempt.method.customer && attempt.method.customer !== owner.customer)
    throw wrongCustomerError(id);
  return attempt;
}

function typedCard(card: TypedCard, browser: boolean): CardInput {
  if (!card) throw missingCardError();
  if (!browser) throw rawCardNumberError();
  return {
    number: required(card.number, 'payment_method_data[card][number]').replaceAll(/[ -]/g, ''),
    exp_month: required(card.exp_month, 'payment_method_data[card][exp_month]'),
    exp_year: required(card.exp_year, 'payment_method_data[card][exp_year]'),
    cvc: required(card.cvc, 'payment_method_data[card][cvc]'),
  };
}

export function toBillingDetails(input: ReturnType<typeof billing> | undefined): BillingDetails {
  const none = {
    city: null,
    country: null,
    line1: null,
    line2: null,
    postal_code: null,
    state: null,
  };
  return {
    address: { ...none, ...input?.address },
    email: input?.email || null,
    name: input?.name || null,
    phone: input?.phone || null,
    tax_id: input?.tax_id || null,
  };
}

const missingCardError = () =>
  invalidParamError(
    'payment_method',
    "You cannot confirm this PaymentIntent because it's missing a payment method. Update the PaymentIntent with a payment method and then confirm it again.",
    'payment_intent_unexpected_state',
  );

const wrongCustomerError = (id: string) =>
  invalidParamError(
    'payment_method',
    `The PaymentMethod ${id} does not belong to the Customer of this intent. Please use one that does.`,
  );

const rawCardNumberError = () =>
  new StripeError(402, {
    type: 'invalid_request_error',
    message:
      'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://docs.stripe.com/testing.',
  });
