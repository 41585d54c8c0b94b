import type { Frequency } from '@connect-embed/contract';
import { parseDecimalText } from '@connect-embed/contract/format-money';
import type { ConnectDonate } from '../connect-donate.ts';
import { warnOnce } from '../shared/warn-once.ts';
import type { DonationDraft } from './donation-draft.ts';

/** In the order of application: another frequency may have other preset amounts. */
const NAMES = ['frequency', 'fund', 'amount'] as const;

type DefaultName = (typeof NAMES)[number];

/**
 * Applies the element's `amount`, `frequency` and `fund` as values of the donation, as far as the form's
 * terms allow them.
 *
 * A property that was applied before is skipped until it changes, so that the donor's choice stays. An
 * empty property restores the form's own default.
 */
export class AttributeDefaults {
  readonly #host: ConnectDonate;
  readonly #draft: DonationDraft;
  /** The values that were applied last. */
  #applied: Partial<Record<DefaultName, string>> = {};

  constructor(host: ConnectDonate, draft: DonationDraft) {
    this.#host = host;
    this.#draft = draft;
  }

  /**
   * Applies the properties that have changed since the last call.
   *
   * @returns whether the donation has changed
   */
  apply(): boolean {
    let hasChanged = false;
    for (const name of NAMES) {
      const value = `${this.#host[name] ?? ''}`.trim();
      if (value === (this.#applied[name] ?? '')) continue;
      this.#applied[name] = value;
      const allowedValues = this.#applyOne(name, value);
      if (allowedValues) warnOnce(this.#host, name, value, allowedValues);
      else hasChanged = true;
    }
    return hasChanged;
  }

  /** @returns undefined, or a description of the allowed values if the value is not allowed */
  #applyOne(name: DefaultName, value: string): string | undefined {
    if (name === 'frequency') return this.#applyFrequency(value);
    return name === 'fund' ? this.#applyFund(value) : this.#applyAmount(value);
  }

  #applyFrequency(value: string): string | undefined {
    const { frequencies, default_frequency } = this.#draft.form.terms;
    const frequency = (value || default_frequency) as Frequency;
    if (!frequencies.includes(frequency)) return `one of ${frequencies.join(', ')}`;
    this.#draft.update({ frequency });
    // The amount of the page may not be a preset of this frequency; it is applied once more.
    if (this.#draft.cents === undefined && !this.#draft.values.other) delete this.#applied.amount;
    return undefined;
  }

  #applyFund(value: string): string | undefined {
    const { fund_choices } = this.#draft.form.terms;
    const fund = fund_choices.find(({ id, name }) => !value || id === value || name === value);
    const ids = fund_choices.map(({ id }) => id).join(', ');
    if (value && !fund) return ids ? `one of ${ids}` : 'omitted: this form has no fund choices';
    this.#draft.update({ fund: fund?.id ?? '' });
    return undefined;
  }

  #applyAmount(value: string): string | undefined {
    const draft = this.#draft;
    const { currency, terms } = draft.form;
    const { amount_locked, min_amount_cents: min, max_amount_cents: max } = terms;
    const cents = value
      ? parseDecimalText(value, currency)
      : (terms.default_amount_cents ?? undefined);
    const isAllowed =
      cents === undefined
        ? !value
        : amount_locked
          ? draft.presets.includes(cents)
          : cents >= min && cents <= max;
    if (isAllowed) {
      draft.chooseAmount(cents);
      return undefined;
    }
    const offered = draft.presets.map((preset) => draft.formatMoney(preset)).join(', ');
    return amount_locked
      ? `one of ${offered}`
      : `${draft.formatMoney(min)} to ${draft.formatMoney(max)}`;
  }
}
