/**
 * Validates a card and looks up how the simulated Stripe treats it. Only brand, last four digits
 * and expiration date are stored.
 */
import { brandOf, passesLuhn } from './card-number.ts';
import type { Behavior } from './outcome.ts';
import { cardDeclined, TEST_CARDS } from './test-cards.ts';
import { StripeError } from './stripe-error.ts';

/** The stored fields of a card. */
export type Card = { brand: string; last4: string; exp_month: number; exp_year: number };

/** Complete card data, which is never stored. */
export type CardInput = { number: string; exp_month: number; exp_year: number; cvc: string };

/** The outcome of every real card: nothing in the sandbox may look as if money had moved. */
const LIVE_CARD = cardDeclined(
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://docs.stripe.com/testing.',
);

export function cardBehavior(number: string): Behavior {
  const card = TEST_CARDS.find((each) => each.number === number);
  if (!card) return { outcome: LIVE_CARD, offSessionOutcome: LIVE_CARD };
  const { outcome, offSessionOutcome = outcome, canBeSaved, postPaymentEffect } = card;
  return {
    outcome,
    offSessionOutcome,
    ...(canBeSaved && { canBeSaved }),
    ...(postPaymentEffect && { postPaymentEffect }),
  };
}

/** Returns the card of a `pm_card_…` token, which expires in two years. */
export function testCardForToken(token: string): CardInput | undefined {
  const number = TEST_CARDS.find((card) => card.token === token)?.number;
  return number === undefined
    ? undefined
    : { number, exp_month: 12, exp_year: new Date().getFullYear() + 2, cvc: '123' };
}

/** Returns the fields that may be stored; none of them can be used to pay. */
export const toStoredCard = ({ number, exp_month, exp_year }: CardInput): Card => ({
  brand: brandOf(number),
  last4: number.slice(-4),
  exp_month,
  exp_year,
});

const cardError = (code: string, param: string, message: string) =>
  new StripeError(402, { type: 'card_error', code, param, message });

/**
 * Validates card data before an attempt.
 *
 * @throws {StripeError} 402 card_error, with Stripe's code for the field
 */
export function checkCard({ number, exp_month, exp_year, cvc }: CardInput) {
  if (!/^\d{12,19}$/.test(number)) {
    throw cardError(
      'invalid_number',
      'number',
      'The card number is not a valid credit card number.',
    );
  }
  if (!passesLuhn(number)) {
    throw cardError('incorrect_number', 'number', 'Your card number is incorrect.');
  }
  if (exp_month < 1 || exp_month > 12) {
    throw cardError(
      'invalid_expiry_month',
      'exp_month',
      "Your card's expiration month is invalid.",
    );
  }
  // A card is valid until the end of its month in the last time zone, UTC−12.
  const now = new Date();
  const expiresAt = new Date(Date.UTC(exp_year, exp_month, 1, 12));
  if (expiresAt <= now || exp_year > now.getFullYear() + 50) {
    throw cardError('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.");
  }
  if (!/^\d{3,4}$/.test(cvc)) {
    throw cardError('invalid_cvc', 'cvc', "Your card's security code is invalid.");
  }
}
