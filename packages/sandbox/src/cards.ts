/**
 * The card numbers that mean something here, and what they mean.
 *
 * They are Stripe's published test numbers. A number is read, judged and
 * forgotten: what is kept of a card is its brand, last four digits and expiry.
 */
import { brandOf, passesLuhn } from './card-number.ts';
import { StripeError } from './stripe-error.ts';

/** Why a charge fails, in Stripe's codes. */
export type Decline = { code: string; decline_code?: string; message: string };

export type Outcome = 'succeed' | 'authenticate' | Decline;

/** What may be kept of a card. */
export type Card = { brand: string; last4: string; exp_month: number; exp_year: number };

/** A card as it arrives, on its way to being forgotten. */
export type CardInput = { number: string; exp_month: number; exp_year: number; cvc: string };

const declined = (decline_code: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
});

export const MAGIC_CARDS: readonly { number: string; shows: string; outcome: Outcome }[] = [
  { number: '4242424242424242', shows: 'Succeeds', outcome: 'succeed' },
  {
    number: '4000002500003155',
    shows: 'Asks for authentication',
    outcome: 'authenticate',
  },
  { number: '4000000000000002', shows: 'Declined', outcome: declined('generic_decline') },
  {
    number: '4000000000009995',
    shows: 'Insufficient funds',
    outcome: declined('insufficient_funds', 'Your card has insufficient funds.'),
  },
  {
    number: '4000000000000069',
    shows: 'Expired card',
    outcome: { code: 'expired_card', message: 'Your card has expired.' },
  },
  {
    number: '4000000000000127',
    shows: 'Incorrect security code',
    outcome: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  },
  {
    number: '4000000000000119',
    shows: 'Processing error',
    outcome: {
      code: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  },
];

/** What a real card gets: nothing here may ever look as if money had moved. */
const LIVE_CARD = declined(
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://docs.stripe.com/testing.',
);

export const outcomeOf = (number: string): Outcome =>
  MAGIC_CARDS.find((card) => card.number === number)?.outcome ?? LIVE_CARD;

/** Stripe's tokens for the same cards, for servers: a server must not see a number. */
const TOKENS: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_authenticationRequired: '4000002500003155',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  pm_card_chargeDeclinedIncorrectCvc: '4000000000000127',
  pm_card_chargeDeclinedProcessingError: '4000000000000119',
};

/** The card behind a `pm_card_…` token, valid for two more years. */
export const cardOfToken = (token: string): CardInput | undefined =>
  Object.hasOwn(TOKENS, token)
    ? {
        number: TOKENS[token] ?? '',
        exp_month: 12,
        exp_year: new Date().getFullYear() + 2,
        cvc: '123',
      }
    : undefined;

/** What is kept: everything that could be used to pay is dropped here. */
export const keep = ({ number, exp_month, exp_year }: CardInput): Card => ({
  brand: brandOf(number),
  last4: number.slice(-4),
  exp_month,
  exp_year,
});

const wrong = (code: string, param: string, message: string) =>
  new StripeError(402, { type: 'card_error', code, param, message });

/**
 * Judges what was typed, before anything is charged.
 *
 * @throws {StripeError} 402 card_error, with Stripe's code for the field
 */
export function checkCard({ number, exp_month, exp_year, cvc }: CardInput, now = new Date()) {
  if (!/^\d{12,19}$/.test(number)) {
    throw wrong('invalid_number', 'number', 'The card number is not a valid credit card number.');
  }
  if (!passesLuhn(number)) {
    throw wrong('incorrect_number', 'number', 'Your card number is incorrect.');
  }
  if (exp_month < 1 || exp_month > 12) {
    throw wrong('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
  }
  // A card is good until the end of its month, wherever on Earth that still is.
  const gone = new Date(Date.UTC(exp_year, exp_month, 1, 12));
  if (gone <= now || exp_year > now.getFullYear() + 50) {
    throw wrong('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.");
  }
  if (!/^\d{3,4}$/.test(cvc)) {
    throw wrong('invalid_cvc', 'cvc', "Your card's security code is invalid.");
  }
}
