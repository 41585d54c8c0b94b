import {
  AmbiguousAmountError,
  applyDonationTerms,
  ConnectError,
  CreateCheckoutSession,
  describeReadings,
  formatMoney,
  parseDecimalText,
  parseMoney,
  presetAmountsFor,
  type EmbedForm,
} from '@connect-embed/contract';
import { feeCoverCents } from '@connect-embed/contract/fee-cover';
import { validate } from '@connect-embed/contract/hono';
import type { MessageKey, Translator } from '@connect-embed/locales';
import { z } from 'zod';
import type { Selection } from './prefill.ts';

/** Translates the form for donors without JavaScript, with the messages of the element. */
export type FormTranslator = Translator<MessageKey<'form' | 'donationFlow'>>;

/** The value of `amount` if the donor has typed another amount than those that the form offers. */
export const OTHER_AMOUNT = 'other';

/** The donation in a request for a payment page. */
const CheckoutDonation = CreateCheckoutSession.omit({
  embed_session_id: true,
  success_url: true,
  cancel_url: true,
});
export type CheckoutDonation = z.infer<typeof CheckoutDonation>;

const text = (params: URLSearchParams, name: string) => params.get(name) ?? '';

/**
 * What the fields of the form contain, as typed. The form is in `checkout-form.ts`, for donors without
 * JavaScript: docs/decisions/0100-giving-pages.md
 */
export interface TypedDonation {
  /** Random, and equal for repeated submissions of one page. */
  key: string;
  /** An offered amount in minor units, or `other`. */
  amount: string;
  other: string;
  fund: string;
  name: string;
  email: string;
  coverFee: boolean;
  anonymous: boolean;
  dedication: string;
  comment: string;
  /** The honeypot field, which is hidden from people. */
  website: string;
}

/** The fields at which an error can be shown. */
export type CheckoutField = 'amount' | 'fund' | 'name' | 'email' | 'dedication' | 'comment';
export type Problems = Partial<Record<CheckoutField, string>>;

/** The one-time amounts that the form offers, in minor units. */
export const presetsOf = ({ terms }: EmbedForm) => presetAmountsFor(terms, 'one_time');

/**
 * Returns the form as a donor first sees it, with the values that a link selects.
 *
 * @param locale of the donor, in which another amount is written
 */
export function emptyDonation(
  form: EmbedForm,
  selection: Selection,
  locale: string,
): TypedDonation {
  const { terms, currency } = form;
  const presets = presetsOf(form);
  // As in the element, the only amount that is possible is selected.
  const only = terms.amount_locked && presets.length === 1 ? presets[0]! : null;
  const selected = selection.amount
    ? parseDecimalText(selection.amount, currency)!
    : (terms.default_amount_cents ?? only);
  const isPreset = selected !== null && presets.includes(selected);
  const isOther = selected !== null && !isPreset && !terms.amount_locked;
  return {
    key: crypto.randomUUID(),
    amount: isPreset ? String(selected) : isOther ? OTHER_AMOUNT : '',
    other: isOther ? numberIn(formatMoney(selected, currency, locale, { trim: true })) : '',
    fund: selection.fund ?? terms.fund_choices[0]?.id ?? '',
    name: '',
    email: '',
    coverFee: terms.fee_cover === 'preselected',
    anonymous: false,
    dedication: '',
    comment: '',
    website: '',
  };
}

/** Returns an amount without the currency. */
const numberIn = (money: string) => /\p{Nd}(?:.*\p{Nd})?/u.exec(money)?.[0] ?? '';

/** Reads the submitted form. */
export function readTyped(params: URLSearchParams): TypedDonation {
  return {
    key: z.uuid().catch(crypto.randomUUID()).parse(params.get('key')),
    amount: text(params, 'amount'),
    other: text(params, 'other'),
    fund: text(params, 'fund'),
    name: text(params, 'name'),
    email: text(params, 'email'),
    coverFee: params.has('coverFee'),
    anonymous: params.has('anonymous'),
    dedication: text(params, 'dedication'),
    // Browsers send line breaks of text areas as CRLF.
    comment: text(params, 'comment').replaceAll('\r\n', '\n'),
    website: text(params, 'website'),
  };
}

/**
 * Converts what the donor has typed to a donation.
 *
 * @returns the donation, or a message for each field with an error
 * @throws {ConnectError} as `applyDonationTerms`; `problemOf` finds its field
 */
export function toDonation(
  typed: TypedDonation,
  form: EmbedForm,
  translator: FormTranslator,
): { donation: CheckoutDonation } | { problems: Problems } {
  const { terms, currency } = form;
  const name = typed.name.trim();
  const email = typed.email.trim();
  const { cents, problem } = readAmount(typed, form, translator);
  const { donor_name, donor_email } = CheckoutDonation.shape;
  const problems: Problems = {
    ...(problem && { amount: problem }),
    ...(!donor_name.safeParse(name).success && {
      name: translator.translate(name ? 'badName' : 'missingName'),
    }),
    ...(!donor_email.safeParse(email).success && {
      email: translator.translate(email ? 'badEmail' : 'missingEmail'),
    }),
  };
  if (cents === undefined || Object.keys(problems).length > 0) return { problems };
  const fee = typed.coverFee && terms.fee_cover !== 'off' && feeCoverCents(terms, cents, currency);
  const metadata = metadataOf(typed, form, translator);
  const donation = validate(
    CheckoutDonation,
    {
      amount_cents: cents + (fee || 0),
      donor_name: name,
      donor_email: email,
      ...(fee && { fee_cover_cents: fee }),
      ...(terms.fund_choices.length && typed.fund && { fund_id: typed.fund }),
      ...(Object.keys(metadata).length && { metadata }),
    },
    'body',
  );
  applyDonationTerms(terms, donation, currency);
  return { donation };
}

/** Returns the optional fields that the form offers, and the donor's language for the receipt. */
function metadataOf(
  typed: TypedDonation,
  { terms }: EmbedForm,
  { locale }: FormTranslator,
): Record<string, string> {
  const dedication = terms.allow_dedication && typed.dedication.trim();
  const comment = terms.allow_comment && typed.comment.trim();
  return {
    ...(dedication && { dedication }),
    ...(comment && { comment }),
    ...(terms.allow_anonymous && typed.anonymous && { anonymous: 'true' }),
    ...(!/^en(-US)?$/.test(locale) && { locale }),
  };
}

/** Returns the amount without the fee in minor units, or an error message. */
function readAmount(
  { amount, other }: TypedDonation,
  form: EmbedForm,
  translator: FormTranslator,
): { cents?: number; problem?: string } {
  const { terms, currency } = form;
  const { min_amount_cents: min, max_amount_cents: max, amount_locked } = terms;
  const { translate, locale } = translator;
  const presets = presetsOf(form);
  const preset = presets.find((cents) => String(cents) === amount);
  if (preset !== undefined) return { cents: preset };
  if (amount_locked) return { problem: translate('chooseLocked') };
  if (!other.trim() && presets.length > 0) return { problem: translate('chooseAmount') };
  const format = (cents: number) => formatMoney(cents, currency, locale, { trim: true });
  let cents: number;
  try {
    cents = parseMoney(other, currency, locale);
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    if (error instanceof AmbiguousAmountError) {
      const readings = describeReadings(error, currency, locale);
      return { problem: translate('ambiguousAmount', readings) };
    }
    const example = format(Math.min(max, Math.max(min, 2500)));
    return { problem: translate('badAmount', { example }) };
  }
  if (cents < min) return { problem: translate('tooSmall', { min: format(min) }) };
  if (cents > max) return { problem: translate('tooLarge', { max: format(max) }) };
  return { cents };
}

/** The field that a parameter of the API belongs to, and its message. */
const FIELDS: Readonly<
  Record<string, readonly [CheckoutField, MessageKey<'form' | 'donationFlow'>]>
> = {
  amount_cents: ['amount', 'badSum'],
  fee_cover_cents: ['amount', 'badSum'],
  donor_name: ['name', 'badName'],
  donor_email: ['email', 'badEmail'],
  fund_id: ['fund', 'refused'],
  'metadata.dedication': ['dedication', 'refused'],
  'metadata.comment': ['comment', 'refused'],
};

/** Returns the message for the field that an error of the API names; undefined if it names none. */
export function problemOf(
  { type, param }: ConnectError,
  { translate }: FormTranslator,
): Problems | undefined {
  const [field, message] = (type === 'invalid_request' && FIELDS[param ?? '']) || [];
  return field && message ? { [field]: translate(message) } : undefined;
}
