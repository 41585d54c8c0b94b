/**
 * Parameters of the payment intent routes of the simulated Stripe API, and their conversion to
 * fields and cards.
 */
import type { Ledger } from '../ledger.ts';
import { type CardInput, testCardForToken } from '../cards.ts';
import { type PaymentAttempt, typedCardAttempt, savedMethodAttempt } from '../attempt-payment.ts';
import type { IntentInput } from '../objects/payment-intent.ts';
import type { BillingDetails } from '../objects/payment-method.ts';
import { amount, currency } from '../money.ts';
import {
  email,
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
import type { PaymentIntent } from '../stripe-types.ts';
import { StripeError, invalidParamError } from '../stripe-error.ts';

export const onlyCards: Reader<string[]> = (value, name) => {
  const types = texts(value, name);
  if (types.length === 1 && types[0] === 'card') return types;
  throw invalidParamError(name, 'The sandbox supports one payment method type: card.');
};

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

const INTENT_PARAMS = {
  amount,
  currency,
  metadata,
  description: text,
  receipt_email: email,
  statement_descriptor: text,
  statement_descriptor_suffix: text,
  transfer_group: text,
  application_fee_amount: integer,
  setup_future_usage: oneOf('off_session', 'on_session'),
  payment_method_types: onlyCards,
  payment_method_options: ignored,
  customer: text,
  on_behalf_of: unsupportedReader,
  transfer_data: unsupportedReader,
  shipping: unsupportedReader,
};

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

export const CREATE_PARAMS = {
  ...INTENT_PARAMS,
  ...METHOD_PARAMS,
  confirm: flag,
  automatic_payment_methods: fields({ enabled: flag, allow_redirects: oneOf('always', 'never') }),
  capture_method: oneOf('automatic', 'automatic_async'),
  confirmation_method: oneOf('automatic'),
};

export const UPDATE_PARAMS = { ...INTENT_PARAMS, expand: texts };

export const CONFIRM_PARAMS = {
  ...METHOD_PARAMS,
  client_secret: text,
  receipt_email: email,
  setup_future_usage: oneOf('off_session', 'on_session'),
  capture_method: oneOf('automatic', 'automatic_async'),
  payment_method_types: onlyCards,
  payment_method_options: ignored,
};

export const CANCEL_PARAMS = {
  cancellation_reason: oneOf('abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'),
  expand: texts,
};

type CreateParams = ReturnType<typeof readParams<typeof CREATE_PARAMS>>;

/** Card parameters that creation and confirmation have in common. */
export type ConfirmParams = Pick<
  CreateParams,
  'payment_method' | 'payment_method_data' | 'off_session' | 'expand'
>;

type TypedCard = NonNullable<ConfirmParams['payment_method_data']>['card'];

/** Parameters that are copied to the field of the same name. */
const COPIED_PARAMS = [
  'amount',
  'currency',
  'metadata',
  'description',
  'receipt_email',
  'statement_descriptor',
  'statement_descriptor_suffix',
  'transfer_group',
  'application_fee_amount',
  'setup_future_usage',
  'payment_method_types',
  'capture_method',
  'customer',
] as const satisfies readonly (keyof CreateParams & keyof PaymentIntent)[];

export function intentFields(params: CreateParams): Partial<IntentInput> {
  const { automatic_payment_methods: automatic } = params;
  const sentParams = COPIED_PARAMS.filter((name) => params[name] !== undefined);
  const same: Partial<IntentInput> = Object.fromEntries(
    sentParams.map((name) => [name, params[name]]),
  );
  if (automatic?.enabled === undefined) return same;
  const { enabled, allow_redirects = 'always' } = automatic;
  return { ...same, automatic_payment_methods: { enabled, allow_redirects } };
}

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
