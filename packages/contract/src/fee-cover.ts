import { currencyStep } from './currency.ts';
import type { DonationTerms } from './donation-terms.ts';

/** What most accounts pay for a card: 2.9 % and 30 minor units. */
export const DEFAULT_FEE = { basis_points: 290, fixed_cents: 30 } as const;

type FeeTerms = Pick<DonationTerms, 'fee_cover_basis_points' | 'fee_cover_fixed_cents'>;

/**
 * What a donor adds so that the organization receives `donationCents` after the processor's fee.
 *
 * The fee is taken of what is charged, the addition included, so it is divided out and not
 * multiplied on. Whole numbers throughout; rounded up to the next amount that can be charged.
 *
 * @returns whole minor units, to be added to the gift
 */
export function feeCoverCents(terms: FeeTerms, donationCents: number, currency: string): number {
  const { fee_cover_basis_points: points, fee_cover_fixed_cents: fixed } = terms;
  const step = currencyStep(currency);
  const coverCents = Math.ceil((donationCents * points + fixed * 10_000) / (10_000 - points));
  return Math.ceil(coverCents / step) * step;
}
