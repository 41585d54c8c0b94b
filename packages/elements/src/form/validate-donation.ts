import type { LitElement } from 'lit';
import type { CreatePaymentIntent } from '@connect-embed/contract';
import { interpolate } from '@connect-embed/contract/interpolate';
import { AmbiguousAmountError, describeReadings, parseMoney } from '@connect-embed/contract/money';
import type { FormMessages } from '../shared/message-types.ts';
import type { DonationDraft, Problems } from './donation-draft.ts';

/** Finds typing errors. The server's rule is stricter, and its error is shown, too. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Error messages by field, in the form's order. Empty if the donation can be submitted. */
export function findProblems(draft: DonationDraft, messages: FormMessages): Problems {
  const { amount } = readAmount(draft, messages);
  const { name, email } = draft.values;
  return {
    ...(amount && { amount }),
    ...(!name.trim() && { name: messages.missingName }),
    ...(!EMAIL.test(email.trim()) && {
      email: email.trim() ? messages.badEmail : messages.missingEmail,
    }),
  };
}

/** Parses the amount: minor units in `cents`, or an error message in `amount`. */
export function readAmount(
  draft: DonationDraft,
  messages: FormMessages,
): { cents?: number; amount?: string } {
  const { presetCents, other } = draft.values;
  if (presetCents !== undefined) return { cents: presetCents };
  const { currency, terms } = draft.form;
  if (terms.amount_locked) return { amount: messages.chooseLocked };
  if (!other.trim() && draft.presets.length) return { amount: messages.chooseAmount };
  const { min_amount_cents: min, max_amount_cents: max } = terms;
  let cents: number;
  try {
    cents = draft.enteredCents ?? parseMoney(other, currency, draft.language);
  } catch (error) {
    if (error instanceof AmbiguousAmountError) {
      const readings = describeReadings(error, currency, draft.language);
      return { amount: interpolate(messages.ambiguousAmount, readings) };
    }
    return {
      amount: interpolate(messages.badAmount, {
        example: draft.formatMoney(Math.min(max, Math.max(min, 2500))),
      }),
    };
  }
  if (cents < min)
    return { amount: interpolate(messages.tooSmall, { min: draft.formatMoney(min) }) };
  return cents > max
    ? { amount: interpolate(messages.tooLarge, { max: draft.formatMoney(max) }) }
    : { cents };
}

/** The body of the request that creates the payment intent. Call it only for a valid draft. */
export function toDonationInput(draft: DonationDraft): CreatePaymentIntent {
  const { values, form, totalCents = 0, feeCents, language } = draft;
  const { frequency, fund, coverFee, anonymous } = values;
  const { frequencies, fee_cover, fund_choices } = form.terms;
  const notes = { dedication: values.dedication.trim(), comment: values.comment.trim() };
  const metadata = {
    ...(notes.dedication && { dedication: notes.dedication }),
    ...(notes.comment && { comment: notes.comment }),
    ...(anonymous && { anonymous: 'true' }),
    // The language of the receipt, if it is not the default.
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

/** The value of the honeypot field if a bot has filled it in: `server/guard`. */
export function readHoneypot({ renderRoot }: LitElement): { website?: string } {
  const field = renderRoot.querySelector<HTMLInputElement>('[name=website]');
  return field?.value ? { website: field.value } : {};
}
