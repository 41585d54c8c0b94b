import type { EmbedForm, Frequency } from '@connect-embed/contract';
import { feeCoverCents } from '@connect-embed/contract/fee-cover';
import { presetAmountsFor } from '@connect-embed/contract/apply-donation-terms';
import { formatAmount } from './format-amount.ts';
import { interpolate } from './interpolate.ts';
import type { Language } from './language.ts';
import type { DonateTexts } from './messages/form-texts.ts';

/** The bound of what can be charged at all; not worth telling: docs/decisions/0004-gift-bounds.md */
const MAX_CHARGE_CENTS = 99_999_999;

export type Field = 'amount' | 'name' | 'email' | 'card';
export type Problems = Partial<Record<Field, string>>;

/** The words of a form, and how it writes numbers: a `Language`, or what a drawing needs of one. */
export type FormLanguage = Pick<Language<DonateTexts>, 'tag' | 'words' | 'texts'>;

/** What the donor has chosen and typed. */
export interface DonorInput {
  frequency: Frequency;
  /** The amount that was chosen; undefined once the donor writes one. */
  chosen: number | undefined;
  /** The amount as the donor writes it. */
  other: string;
  fund: string;
  name: string;
  email: string;
  coverFee: boolean;
  anonymous: boolean;
  dedication: string;
  comment: string;
}

/** A gift as it stands in the form. It is checked in `validate-donation.ts`. */
export class DonationDraft {
  readonly form: EmbedForm;
  readonly formLanguage: FormLanguage;
  readonly values: DonorInput;
  /** What the donor wrote, as an amount that the form takes: read in `validate-donation.ts`. */
  typedCents: number | undefined;

  constructor(form: EmbedForm, wording: FormLanguage) {
    this.form = form;
    this.formLanguage = wording;
    const { terms, prefill } = form;
    this.values = {
      frequency: terms.default_frequency,
      chosen: undefined,
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

  get texts(): DonateTexts {
    return this.formLanguage.texts;
  }

  /** How amounts and dates are written: `de-AT`. */
  get language(): string {
    return this.formLanguage.tag;
  }

  get presets(): number[] {
    return presetAmountsFor(this.form.terms, this.values.frequency);
  }

  /** The gift itself; undefined while it is no amount that the form takes. */
  get cents(): number | undefined {
    return this.values.chosen ?? this.typedCents;
  }

  /** What covers the processor's fee, should the donor want to. */
  get feeCents(): number {
    const { terms, currency } = this.form;
    return this.cents ? feeCoverCents(terms, this.cents, currency) : 0;
  }

  /** What is charged. */
  get totalCents(): number | undefined {
    return this.cents && this.cents + (this.values.coverFee ? this.feeCents : 0);
  }

  /** Takes what the donor chose or typed. Another frequency may offer other amounts. */
  update(change: Partial<DonorInput>) {
    Object.assign(this.values, change);
    if (change.chosen) this.chooseAmount(change.chosen);
    else if (change.other !== undefined) this.values.chosen = this.typedCents = undefined;
    const { chosen } = this.values;
    if (change.frequency && chosen && !this.presets.includes(chosen)) this.chooseAmount(undefined);
  }

  /** Chooses an amount, or writes it where it is not offered. */
  chooseAmount(cents: number | undefined) {
    const { presets, form } = this;
    const only = form.terms.amount_locked && presets.length === 1 ? presets[0] : undefined;
    const offered = cents && presets.includes(cents);
    this.values.chosen = offered ? cents : only;
    this.typedCents = offered ? undefined : cents;
    const [number = ''] =
      /\p{Nd}(.*\p{Nd})?/u.exec(cents && !offered ? this.formatMoney(cents) : '') ?? [];
    this.values.other = number;
  }

  /** An amount in the form's currency, as the donor's language writes it: `$50`. */
  formatMoney(cents: number): string {
    return formatAmount(cents, this.form.currency, this.language);
  }

  /** Tells the bounds, where there are any worth telling. */
  get amountHint(): string {
    const { min_amount_cents: min, max_amount_cents: max } = this.form.terms;
    const { amountBetween, amountFrom } = this.texts;
    const bounds = { min: this.formatMoney(min), max: this.formatMoney(max) };
    return interpolate(max < MAX_CHARGE_CENTS ? amountBetween : amountFrom, bounds);
  }
}
