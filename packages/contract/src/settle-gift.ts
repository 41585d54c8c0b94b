import { invalidRequest } from './error.ts';
import type { GiftTerms, GiftTermsInput } from './gift-terms.ts';
import type { CreatePaymentIntent } from './payment-intent.ts';

const DEFAULT_PRESETS_CENTS = [2500, 5000, 10_000, 25_000];

/** What a gift becomes once the form's terms have been applied. */
export type SettledGift = CreatePaymentIntent & { campaign_id?: string };

/**
 * Completes the terms of a form and checks that they make sense together.
 *
 * @param bounds the smallest and largest gift that can be charged at all, in minor units
 * @throws {ConnectError} `invalid_request` naming the field that contradicts another
 */
export function completeTerms(
  input: GiftTermsInput,
  bounds: { min: number; max: number },
): GiftTerms {
  const min = input.min_amount_cents ?? bounds.min;
  const max = input.max_amount_cents ?? bounds.max;
  if (min > max) throw invalidRequest('min_amount_cents', 'is larger than max_amount_cents.');
  const inBounds = (cents: number) => cents >= min && cents <= max;
  const locked = input.amount_locked ?? false;
  const presets = input.preset_amounts_cents ?? DEFAULT_PRESETS_CENTS.filter(inBounds);
  if (!presets.every(inBounds)) {
    throw invalidRequest('preset_amounts_cents', `must all be between ${min} and ${max}.`);
  }
  if (locked && !input.preset_amounts_cents?.length) {
    throw invalidRequest('amount_locked', 'needs preset_amounts_cents to choose from.');
  }
  const chosen = input.default_amount_cents ?? null;
  if (chosen !== null && !(locked ? presets.includes(chosen) : inBounds(chosen))) {
    throw invalidRequest('default_amount_cents', 'is not an amount that this form takes.');
  }
  return {
    fund_id: input.fund_id ?? null,
    campaign_id: input.campaign_id ?? null,
    preset_amounts_cents: presets,
    default_amount_cents: chosen,
    amount_locked: locked,
    min_amount_cents: min,
    max_amount_cents: max,
  };
}

/**
 * Holds a gift against the terms of its form. Server and API both call it, so that what a page
 * sends can never widen what its owner allowed.
 *
 * @throws {ConnectError} `invalid_request` naming `amount_cents` or `fund_id`
 */
export function settleGift(terms: GiftTerms, gift: CreatePaymentIntent): SettledGift {
  const { amount_cents } = gift;
  if (terms.amount_locked && !terms.preset_amounts_cents.includes(amount_cents)) {
    throw invalidRequest('amount_cents', 'is not one of the amounts of this form.');
  }
  if (amount_cents < terms.min_amount_cents) {
    throw invalidRequest('amount_cents', `must be at least ${terms.min_amount_cents}.`);
  }
  if (amount_cents > terms.max_amount_cents) {
    throw invalidRequest('amount_cents', `must be at most ${terms.max_amount_cents}.`);
  }
  if (terms.fund_id && gift.fund_id && gift.fund_id !== terms.fund_id) {
    throw invalidRequest('fund_id', 'is fixed by this form.');
  }
  const fund_id = terms.fund_id ?? gift.fund_id;
  return {
    ...gift,
    ...(fund_id && { fund_id }),
    ...(terms.campaign_id && { campaign_id: terms.campaign_id }),
  };
}
