import { parseMoney } from '@connect-embed/contract/money';
import type { GiftDraft, Problems } from './gift-draft.ts';
import { giveTexts as texts } from './messages/give.ts';

/** Catches slips; the server's rule is the stricter one, and its word is shown too. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What is still wrong, in words, by field. Empty when the gift can be made. */
export function problemsOf(draft: GiftDraft): Problems {
  const amount = amountOrProblem(draft);
  const email = draft.email.trim();
  return {
    ...(typeof amount === 'string' && { amount }),
    ...(!draft.name.trim() && { name: texts.missingName }),
    ...(!EMAIL.test(email) && { email: email ? texts.badEmail : texts.missingEmail }),
  };
}

/** Whole minor units, or undefined while it is no amount that the form takes. */
export function amountOf(draft: GiftDraft): number | undefined {
  const amount = amountOrProblem(draft);
  return typeof amount === 'number' ? amount : undefined;
}

function amountOrProblem(draft: GiftDraft): number | string {
  if (draft.chosen !== undefined) return draft.chosen;
  const { currency, terms } = draft.form;
  if (terms.amount_locked) return texts.chooseLocked;
  if (!draft.other.trim()) return texts.chooseAmount;
  let cents: number;
  try {
    cents = parseMoney(draft.other, currency, draft.language);
  } catch {
    return texts.badAmount(draft.money(2500));
  }
  const { min_amount_cents: min, max_amount_cents: max } = terms;
  if (cents < min) return texts.tooSmall(draft.money(min));
  return cents > max ? texts.tooLarge(draft.money(max)) : cents;
}
