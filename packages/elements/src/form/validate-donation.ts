import type { LitElement } from 'lit';
import type { CreatePaymentIntent } from '@connect-embed/contract';
import {
  EMAIL_ADDRESS,
  findInvalidCharacter,
  normalizeEmail,
} from '@connect-embed/contract/email-address';
import { interpolate } from '@connect-embed/contract/interpolate';
import { AmbiguousAmountError, describeReadings, parseMoney } from '@connect-embed/contract/money';
import { hasVisibleText, trimToVisible } from '@connect-embed/contract/visible-text';
import type { FormMessages } from '../shared/message-types.ts';
import type { DonationDraft, Problems } from './donation-draft.ts';

/** Error messages by field, in the form's order. Empty if the donation can be submitted. */
export function findProblems(draft: DonationDraft, messages: FormMessages): Problems {
  const { amount } = readAmount(draft, messages);
  const { name } = draft.values;
  const email = normalizeEmail(draft.values.email);
  return {
    ...(amount && { amount }),
    ...(!hasVisibleText(name) && { name: messages.missingName }),
    ...(!EMAIL_ADDRESS.test(email) && { email: emailProblem(email, messages) }),
  };
}

function emailProblem(email: string, messages: FormMessages): string {
  if (!email) return messages.missingEmail;
  const character = findInvalidCharacter(email);
  if (character && !character.trim()) return messages.badSpace;
  if (character) return interpolate(messages.badCharacter, { character });
  const parts = email.split('@');
  if (parts.length === 1) return messages.missingAt;
  return parts.at(-1)!.includes('.') ? messages.badEmail : messages.missingDomain;
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
  const { values, form, totalCents = 0, coveredCents, language } = draft;
  const { frequency, fund, anonymous } = values;
  const { frequencies, fee_cover, fund_choices } = form.terms;
  const notes = {
    dedication: trimToVisible(values.dedication),
    comment: trimToVisible(values.comment),
  };
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
    donor_email: normalizeEmail(values.email),
    ...(frequencies.some((one) => one !== 'one_time') && { frequency }),
    ...(fee_cover !== 'off' && coveredCents && { fee_cover_cents: coveredCents }),
    ...(fund_choices.length && { fund_id: fund }),
    ...(Object.keys(metadata).length && { metadata }),
  };
}

/** The value of the honeypot field if a bot has filled it in: `server/guard`. */
export function readHoneypot({ renderRoot }: LitElement): { website?: string } {
  const field = renderRoot.querySelector<HTMLInputElement>('[name=website]');
  return field?.value ? { website: field.value } : {};
}
