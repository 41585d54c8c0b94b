import type { GiftTerms } from '@connect-embed/contract';
import { presetsOf } from '@connect-embed/contract/settle-gift';
import { fill } from './fill.ts';
import type { GiftDraft } from './gift-draft.ts';
import type { MadeGift } from './gift-record.ts';
import { wordsOf } from './messages/give.ts';

/**
 * The amount of a monthly donation that is offered after a gift: as much as was given, or the nearest
 * that the form takes, rather less than more. Undefined where the form takes no monthly donations.
 */
export function monthlyCents(terms: GiftTerms, giftCents: number): number | undefined {
  if (!terms.frequencies.includes('monthly')) return undefined;
  const { min_amount_cents: min, max_amount_cents: max } = terms;
  if (!terms.amount_locked) return Math.min(max, Math.max(min, giftCents));
  const offered = [...presetsOf(terms, 'monthly')].sort((one, other) => one - other);
  return offered.findLast((cents) => cents <= giftCents) ?? offered[0];
}

/**
 * Fills in the same gift for every month.
 *
 * @returns what the donor must know before pressing Give: the first payment is made then
 */
export function draftMonthly(
  draft: GiftDraft,
  { amountCents, giftCents = amountCents }: MadeGift,
): string {
  draft.set({ frequency: 'monthly' });
  draft.choose(monthlyCents(draft.form.terms, giftCents));
  return fill(wordsOf(draft).monthlyStarts, { amount: draft.money(amountCents) });
}
