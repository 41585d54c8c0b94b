import type { CreatePaymentIntent } from '@connect-embed/contract';
import { parseMoney } from '@connect-embed/contract/money';
import type { LitElement } from 'lit';
import { fill } from './fill.ts';
import type { GiftDraft, Problems } from './gift-draft.ts';
import { wordsOf } from './messages/give.ts';

/** Catches slips; the server's rule is the stricter one, and its word is shown too. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What is still wrong, in words, by field in the form's order. Empty when the gift can be made. */
export function problemsOf(draft: GiftDraft): Problems {
  const { amount } = readAmount(draft);
  const { name, email } = draft.values;
  const texts = wordsOf(draft);
  return {
    ...(amount && { amount }),
    ...(!name.trim() && { name: texts.missingName }),
    ...(!EMAIL.test(email.trim()) && {
      email: email.trim() ? texts.badEmail : texts.missingEmail,
    }),
  };
}

/** Reads what the donor wrote: whole minor units, or what is wrong with it. */
export function readAmount(draft: GiftDraft): { cents?: number; amount?: string } {
  const { chosen, other } = draft.values;
  if (chosen !== undefined) return { cents: chosen };
  const { currency, terms } = draft.form;
  const texts = wordsOf(draft);
  if (terms.amount_locked) return { amount: texts.chooseLocked };
  if (!other.trim() && draft.presets.length) return { amount: texts.chooseAmount };
  const { min_amount_cents: min, max_amount_cents: max } = terms;
  let cents: number;
  try {
    cents = parseMoney(other, currency, draft.language);
  } catch {
    return {
      amount: fill(texts.badAmount, { example: draft.money(Math.min(max, Math.max(min, 2500))) }),
    };
  }
  if (cents < min) return { amount: fill(texts.tooSmall, { min: draft.money(min) }) };
  return cents > max ? { amount: fill(texts.tooLarge, { max: draft.money(max) }) } : { cents };
}

/** The gift as the server takes it; only once it is checked. */
export function giftOf(draft: GiftDraft): CreatePaymentIntent {
  const { values, form, totalCents = 0, feeCents, language } = draft;
  const { frequency, fund, coverFee, anonymous } = values;
  const { frequencies, fee_cover, fund_choices } = form.terms;
  const words = { dedication: values.dedication.trim(), comment: values.comment.trim() };
  const metadata = {
    ...(words.dedication && { dedication: words.dedication }),
    ...(words.comment && { comment: words.comment }),
    ...(anonymous && { anonymous: 'true' }),
    // For the receipt, where it would not be in this language anyway.
    ...(!/^en(-US)?$/i.test(language) && { locale: language }),
  };
  return {
    amount_cents: totalCents,
    donor_name: values.name.trim(),
    donor_email: values.email.trim(),
    ...(frequencies.some((one) => one !== 'one_time') && { frequency }),
    ...(fee_cover !== 'off' && coverFee && { fee_cover_cents: feeCents }),
    ...(fund_choices.length && { fund_id: fund }),
    ...(Object.keys(metadata).length && { metadata }),
  };
}

/** What stands in the field that people never see: `server/guard`. */
export function trappedIn({ renderRoot }: LitElement): { website?: string } {
  const field = renderRoot.querySelector<HTMLInputElement>('[name=website]');
  return field?.value ? { website: field.value } : {};
}
