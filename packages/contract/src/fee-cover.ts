import { currencyStep } from './currency.ts';

/** Stripe's usual fee for a card payment: 2.9 % and 30 minor units. */
export const DEFAULT_FEE = { basis_points: 290, fixed_cents: 30 } as const;

/** The part of a form's terms that determines the fee. */
interface FeeTerms {
  fee_cover_basis_points: number;
  fee_cover_fixed_cents: number;
}

/**
 * Calculates the fee cover: the amount that a donor adds so that the organization receives
 * `donationCents` after the processing fee.
 *
 * The fee is a share of the whole charge, including the fee cover, hence the division. The
 * calculation uses integers and rounds up to the next amount that can be charged.
 *
 * @returns minor units to add to the donation
 */
export function feeCoverCents(terms: FeeTerms, donationCents: number, currency: string): number {
  const { fee_cover_basis_points: basisPoints, fee_cover_fixed_cents: fixedCents } = terms;
  const step = currencyStep(currency);
  const coverCents = Math.ceil(
    (donationCents * basisPoints + fixedCents * 10_000) / (10_000 - basisPoints),
  );
  return Math.ceil(coverCents / step) * step;
}
