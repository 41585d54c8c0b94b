import {
  MAX_DONATION_CENTS,
  MIN_DONATION_CENTS,
  presetAmountsFor,
  type Frequency,
  type DonationTerms,
} from '@connect-embed/contract';

/** Amounts that a donor may change a subscription to, in minor units: fixed choices or a range. */
type AllowedAmounts = { choices: number[] } | { min: number; max: number };

/**
 * Encodes the amounts that the donation form allows, to be saved with the subscription: `500,1000`
 * or `500-100000`.
 */
export function encodeAmounts(terms: DonationTerms | undefined, frequency: Frequency): string {
  if (!terms) return `${MIN_DONATION_CENTS}-${MAX_DONATION_CENTS}`;
  if (terms.amount_locked) return presetAmountsFor(terms, frequency).join();
  return `${terms.min_amount_cents}-${terms.max_amount_cents}`;
}

/** Decodes the text of `encodeAmounts`. Invalid text allows any amount that can be charged. */
export function decodeAmounts(text: string): AllowedAmounts {
  const [, min, max] = /^(\d{1,9})-(\d{1,9})$/.exec(text) ?? [];
  if (min && max) return { min: Number(min), max: Number(max) };
  if (/^\d{1,9}(,\d{1,9})*$/.test(text)) return { choices: text.split(',').map(Number) };
  return { min: MIN_DONATION_CENTS, max: MAX_DONATION_CENTS };
}

export const isAllowedAmount = (amounts: AllowedAmounts, cents: number): boolean =>
  'choices' in amounts
    ? amounts.choices.includes(cents)
    : cents >= amounts.min && cents <= amounts.max;
