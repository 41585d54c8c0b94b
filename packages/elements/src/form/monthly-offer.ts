import type { DonationTerms } from '@connect-embed/contract';
import { presetAmountsFor } from '@connect-embed/contract/apply-donation-terms';
import type { DonationDraft } from './donation-draft.ts';
import type { CompletedPayment } from './payment-outcome.ts';

/**
 * The amount of the monthly donation that is offered after a one-time donation: the same amount, or the
 * nearest one that the form allows, preferably lower. Undefined if the form takes no monthly donations.
 */
export function monthlyOfferCents(terms: DonationTerms, giftCents: number): number | undefined {
  if (!terms.frequencies.includes('monthly')) return undefined;
  const { min_amount_cents: min, max_amount_cents: max } = terms;
  if (!terms.amount_locked) return Math.min(max, Math.max(min, giftCents));
  const offered = [...presetAmountsFor(terms, 'monthly')].sort((one, other) => one - other);
  return offered.findLast((cents) => cents <= giftCents) ?? offered[0];
}

/** Changes the form to a monthly donation with the same values. */
export function fillMonthlyDraft(
  draft: DonationDraft,
  { amountCents, donationCents = amountCents }: CompletedPayment,
): void {
  draft.update({ frequency: 'monthly' });
  draft.chooseAmount(monthlyOfferCents(draft.form.terms, donationCents));
}
