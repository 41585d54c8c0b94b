import {
  currencyStep,
  feeCoverCents,
  DEFAULT_FEE,
  type DonationTerms,
} from '@connect-embed/contract';

/** The card fee that a subscription's donor covers: how it is reckoned, for as long as it lasts. */
export interface FeeRate {
  fee_cover_basis_points: number;
  fee_cover_fixed_cents: number;
}

/** The terms by which a donor covers the fee, as the subscription keeps them: `290+30`; undefined for none. */
export function encodeFeeCover(
  terms: DonationTerms | undefined,
  coverCents: number | undefined,
): string | undefined {
  if (!coverCents) return undefined;
  const points = terms?.fee_cover_basis_points ?? DEFAULT_FEE.basis_points;
  return `${points}+${terms?.fee_cover_fixed_cents ?? DEFAULT_FEE.fixed_cents}`;
}

/**
 * Reads the fee terms from a subscription's metadata. Older subscriptions only say that the fee is
 * covered. For them the fee that most accounts pay is used.
 */
export const feeCoverFromMetadata = (metadata: Record<string, string>): string | null =>
  metadata['fee_cover'] ?? encodeFeeCover(undefined, Number(metadata['fee_cover_cents'])) ?? null;

/** Reads it back; undefined where the donor covers no fee. */
export function decodeFeeCover(text: string | null): FeeRate | undefined {
  const [, points, fixed] = /^(\d{1,4})\+(\d{1,6})$/.exec(text ?? '') ?? [];
  if (!points || !fixed) return undefined;
  return { fee_cover_basis_points: Number(points), fee_cover_fixed_cents: Number(fixed) };
}

/** The parts of what is charged for a subscription. */
export interface AmountParts {
  /** What the donor gives. */
  donationCents: number;
  /** What covers the card fee; 0 where the donor covers none. */
  coverCents: number;
}

/** Adds the cover to a new amount, as the form would. */
export function addFeeCover(
  donationCents: number,
  rate: FeeRate | undefined,
  currency: string,
): AmountParts {
  return { donationCents, coverCents: rate ? feeCoverCents(rate, donationCents, currency) : 0 };
}

/** Takes the cover out of what is charged: the gift that, with its cover, comes to it. */
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
