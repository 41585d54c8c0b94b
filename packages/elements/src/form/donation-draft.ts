import type { Frequency, PublicForm } from '@connect-embed/contract';
import { presetAmountsFor } from '@connect-embed/contract/apply-donation-terms';
import { feeCoverCents } from '@connect-embed/contract/fee-cover';
import { interpolate } from '@connect-embed/contract/interpolate';
import type { Language } from '../shared/language.ts';
import type { DonateMessages } from '../shared/message-types.ts';
import { formatAmount } from './format-amount.ts';

/**
 * Stripe's maximum charge in minor units. A form with this maximum shows no upper bound:
 * docs/decisions/0002-specification-gaps.md
 */
const MAX_CHARGE_CENTS = 99_999_999;

export type Field = 'amount' | 'name' | 'email' | 'payment';
export type Problems = Partial<Record<Field, string>>;

/** The texts of a form, and the locale of its numbers and dates. */
type FormLanguage = Pick<Language<DonateMessages>, 'tag' | 'code' | 'messages'>;

/** What the donor has chosen and typed. */
export interface DonorInput {
  frequency: Frequency;
  /** The selected preset amount in minor units; undefined if the donor types an amount. */
  presetCents: number | undefined;
  /** The amount as typed. */
  other: string;
  fund: string;
  name: string;
  email: string;
  coverFee: boolean;
  anonymous: boolean;
  dedication: string;
  comment: string;
}

/** The donation as entered in the form. `validate-donation.ts` validates it. */
export class DonationDraft {
  readonly form: PublicForm;
  readonly values: DonorInput;
  /** The typed amount in minor units; undefined if it is invalid. `validate-donation.ts` parses it. */
  typedCents: number | undefined;
  /**
   * Whether the donor has selected a bank debit. The terms have the fee of a card, and that of a debit is a fraction of
   * it, so the form then neither asks for the fee nor adds it. The donor's choice is kept for the card.
   */
  isDebit = false;
  #hasChosenFrequency = false;
  /** The amount before the donor has accepted the question whether to give monthly. */
  #centsBeforeMonthly: number | undefined;
  /** The amount that the form itself has written into the text field. */
  #entered: { text: string; cents: number | undefined } | undefined;
  readonly #language: FormLanguage;

  constructor(form: PublicForm, language: FormLanguage) {
    this.form = form;
    this.#language = language;
    const { terms, prefill } = form;
    this.values = {
      frequency: terms.default_frequency,
      presetCents: undefined,
      other: '',
      fund: terms.fund_choices[0]?.id ?? '',
      name: prefill.donor_name ?? '',
      email: prefill.donor_email ?? '',
      coverFee: terms.fee_cover === 'preselected',
      anonymous: false,
      dedication: '',
      comment: '',
    };
    this.chooseAmount(terms.default_amount_cents ?? undefined);
  }

  get messages(): DonateMessages {
    return this.#language.messages;
  }

  /** Locale of amounts and dates, such as `de-AT`. */
  get language(): string {
    return this.#language.tag;
  }

  get presets(): number[] {
    return presetAmountsFor(this.form.terms, this.values.frequency);
  }

  /** What each preset amount achieves, in the owner's words, by amount in minor units. */
  get impactTexts(): Readonly<Record<number, string>> {
    const { impact_texts = {}, impact_texts_by_frequency } = this.form.presentation ?? {};
    return impact_texts_by_frequency?.[this.values.frequency] ?? impact_texts;
  }

  /** True until the donor has chosen a frequency, if the form has a monthly amount below one that it accepts. */
  get canAskForMonthly(): boolean {
    const { frequencies, amount_locked, max_amount_cents } = this.form.terms;
    const highest = amount_locked ? Math.max(...this.presets) : max_amount_cents;
    return (
      this.values.frequency === 'one_time' &&
      !this.#hasChosenFrequency &&
      frequencies.includes('monthly') &&
      presetAmountsFor(this.form.terms, 'monthly').some((cents) => cents < highest)
    );
  }

  /** The next lower amount of the monthly ones that the form offers, in minor units; undefined if there is none. */
  get monthlyInstead(): number | undefined {
    const { cents = 0 } = this;
    const lower = presetAmountsFor(this.form.terms, 'monthly').filter((offered) => offered < cents);
    return lower.length ? Math.max(...lower) : undefined;
  }

  /** The amount of the donation without the fee, in minor units; undefined while it is invalid. */
  get cents(): number | undefined {
    return this.values.presetCents ?? this.typedCents;
  }

  /** The amount that covers the processing fee if the donor chooses to, in minor units. */
  get feeCents(): number {
    const { terms, currency } = this.form;
    return this.cents ? feeCoverCents(terms, this.cents, currency) : 0;
  }

  /** The part of the charge that covers the fee, in minor units. */
  get coveredCents(): number {
    return this.values.coverFee && !this.isDebit ? this.feeCents : 0;
  }

  /** The amount to charge, in minor units. */
  get totalCents(): number | undefined {
    return this.cents && this.cents + this.coveredCents;
  }

  /**
   * Applies the donor's input. Another frequency may have other preset amounts. Frequency and amount together are the
   * monthly donation that the form asks for; a donor who goes back to one-time has the amount of before.
   */
  update(change: Partial<DonorInput>) {
    const { frequency } = this.values;
    if (change.frequency && change.presetCents) this.#centsBeforeMonthly = this.cents;
    Object.assign(this.values, change);
    this.#hasChosenFrequency ||= this.values.frequency !== frequency;
    if (change.presetCents) this.chooseAmount(change.presetCents);
    else if (change.other !== undefined) this.values.presetCents = this.typedCents = undefined;
    const { presetCents } = this.values;
    if (change.frequency && presetCents && !this.presets.includes(presetCents))
      this.chooseAmount(undefined);
    if (change.frequency === 'one_time' && this.#centsBeforeMonthly) {
      this.chooseAmount(this.#centsBeforeMonthly);
      this.#centsBeforeMonthly = undefined;
    }
  }

  /** Selects a preset amount, or enters the amount in the text field if it is not a preset. */
  chooseAmount(cents: number | undefined) {
    const { presets, form } = this;
    const only = form.terms.amount_locked && presets.length === 1 ? presets[0] : undefined;
    const offered = cents && presets.includes(cents);
    this.values.presetCents = offered ? cents : only;
    this.#enterAmount(offered ? undefined : cents);
  }

  /** Writes the typed amount again, in the notation of the form's current language. */
  rewriteTypedAmount() {
    if (this.typedCents !== undefined) this.#enterAmount(this.typedCents);
  }

  /**
   * The amount in the text field if the form has written it, in minor units. It is not parsed again, because
   * some amounts are ambiguous as text: `parseMoney`.
   */
  get enteredCents(): number | undefined {
    return this.#entered?.text === this.values.other ? this.#entered.cents : undefined;
  }

  #enterAmount(cents: number | undefined) {
    const [text = ''] = /\p{Nd}(.*\p{Nd})?/u.exec(cents ? this.formatMoney(cents) : '') ?? [];
    this.typedCents = cents;
    this.values.other = text;
    this.#entered = { text, cents };
  }

  /** An amount in the form's currency, as the donor's language writes it: `$50`. */
  formatMoney(cents: number): string {
    return formatAmount(cents, this.form.currency, this.language);
  }

  /** The hint with the minimum, and with the maximum if the form sets one. */
  get amountHint(): string {
    const { min_amount_cents: min, max_amount_cents: max } = this.form.terms;
    const { amountBetween, amountFrom } = this.messages;
    const bounds = { min: this.formatMoney(min), max: this.formatMoney(max) };
    return interpolate(max < MAX_CHARGE_CENTS ? amountBetween : amountFrom, bounds);
  }
}
