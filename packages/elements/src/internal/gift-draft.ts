import type { CreatePaymentIntent, EmbedForm } from '@connect-embed/contract';
import { formatMoney } from '@connect-embed/contract/format-money';
import { donateTexts as texts } from './messages/donate.ts';

/** The bound of what can be charged at all; not worth telling: docs/decisions/0004-gift-bounds.md */
const ANY_AMOUNT_CENTS = 99_999_999;

export type Field = 'amount' | 'name' | 'email';
export type Problems = Partial<Record<Field, string>>;

/** What the donor has chosen and typed so far. It is checked in `gift-check.ts`. */
export class GiftDraft {
  readonly form: EmbedForm;
  readonly language: string;
  /** The amount that was chosen; undefined once the donor writes one. */
  chosen: number | undefined;
  /** The amount as the donor writes it. */
  other = '';
  name: string;
  email: string;

  constructor(form: EmbedForm, language: string) {
    this.form = form;
    this.language = language;
    this.name = form.prefill.donor_name ?? '';
    this.email = form.prefill.donor_email ?? '';
    const { preset_amounts_cents: presets, default_amount_cents, amount_locked } = form.terms;
    const only = amount_locked && presets.length === 1 ? presets[0] : undefined;
    this.chosen = default_amount_cents ?? only;
    if (this.chosen === undefined || presets.includes(this.chosen)) return;
    this.other = this.money(this.chosen).replace(/[^\p{Nd}.,٫٬'’]/gu, '');
  }

  /** An amount in the form's currency, as the donor's language writes it: `$50`. */
  money(cents: number): string {
    return formatMoney(cents, this.form.currency, this.language, { trim: true });
  }

  /** Tells the bounds, where there are any worth telling. */
  get amountHint(): string {
    const { min_amount_cents: min, max_amount_cents: max } = this.form.terms;
    return texts.amountHint(this.money(min), max < ANY_AMOUNT_CENTS ? this.money(max) : undefined);
  }

  /** The gift as the server takes it; only once it is checked. */
  gift(amountCents: number): CreatePaymentIntent {
    return {
      amount_cents: amountCents,
      donor_name: this.name.trim(),
      donor_email: this.email.trim(),
    };
  }
}
