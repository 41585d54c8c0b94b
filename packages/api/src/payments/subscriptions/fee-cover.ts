import {
  currencyStep,
  feeCoverCents,
  DEFAULT_FEE,
  type DonationTerms,
} from '@connect-embed/contract';

/** The rate of the card fee that a subscription's donor covers, fixed when it was created. */
export interface FeeRate {
  fee_cover_basis_points: number;
  fee_cover_fixed_cents: number;
}

/**
 * Encodes the fee rate for the subscription's metadata: basis points and fixed amount, such as
 * `290+30`. Undefined if the donor does not cover the fee.
 */
export function encodeFeeCover(
  terms: DonationTerms | undefined,
  coverCents: number | undefined,
): string | undefined {
  if (!coverCents) return undefined;
  const points = terms?.fee_cover_basis_points ?? DEFAULT_FEE.basis_points;
  return `${points}+${terms?.fee_cover_fixed_cents ?? DEFAULT_FEE.fixed_cents}`;
}

/**
 * Returns the fee rate from a subscription's metadata. Older subscriptions contain only the covered
 * amount; for them the most common fee rate is used.
 */
export const feeCoverFromMetadata = (metadata: Record<string, string>): string | null =>
  metadata['fee_cover'] ?? encodeFeeCover(undefined, Number(metadata['fee_cover_cents'])) ?? null;

/** Decodes the text of `encodeFeeCover`. Undefined if the donor does not cover the fee. */
export function decodeFeeCover(text: string | null): FeeRate | undefined {
  const [, points, fixed] = /^(\d{1,4})\+(\d{1,6})$/.exec(text ?? '') ?? [];
  if (!points || !fixed) return undefined;
  return { fee_cover_basis_points: Number(points), fee_cover_fixed_cents: Number(fixed) };
}

/** The parts of the amount that is charged for a subscription. */
export interface AmountParts {
  donationCents: number;
  /** The part that covers the card fee; 0 if the donor does not cover it. */
  coverCents: number;
}

/** Adds the fee cover to a donation amount, as the donation form does. */
export function addFeeCover(
  donationCents: number,
  rate: FeeRate | undefined,
  currency: string,
): AmountParts {
  return { donationCents, coverCents: rate ? feeCoverCents(rate, donationCents, currency) : 0 };
}

/** Splits a charged amount into donation and fee cover. The inverse of `addFeeCover`. */
export function splitAmount(
  totalCents: number,
  rate: FeeRate | undefined,
  currency: string,
): AmountParts {
  if (!rate) return { donationCents: totalCents, coverCents: 0 };
  const { fee_cover_basis_points: points, fee_cover_fixed_cents: fixed } = rate;
  const step = currencyStep(currency);
  const fee =
    Math.floor((totalCents * points) / 10_000 / step) * step + Math.floor(fixed / step) * step;
  // Rounding can shift the result by one or two steps in either direction.
  for (let donationCents = totalCents - fee + 3 * step; donationCents > 0; donationCents -= step) {
    const parts = addFeeCover(donationCents, rate, currency);
    if (parts.donationCents + parts.coverCents <= totalCents) {
      return { donationCents, coverCents: totalCents - donationCents };
    }
  }
  return { donationCents: totalCents, coverCents: 0 };
}
