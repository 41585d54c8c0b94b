import type { Frequency } from '@connect-embed/contract';
import { reportToDataLayer } from './analytics.ts';
import type { FormContext } from './form-context.ts';
import type { SharedDeps } from './lazy-features.ts';

/**
 * Applies attributes of the tag as initial values of the donation, as far as the form's terms allow
 * them.
 */
export function applyAttributeDefaults(context: FormContext, deps: SharedDeps) {
  for (const [name, apply] of Object.entries(APPLIERS)) {
    const value = context.host.getAttribute(name)?.trim();
    const expected = value && apply(context, value, deps);
    if (expected) deps.warnOnce(context.host, name, value, expected);
  }
}

/**
 * One function per attribute. It returns a description of the allowed values if the value is not
 * allowed.
 */
const APPLIERS: Record<
  string,
  (opened: FormContext, value: string, lent: SharedDeps) => string | undefined
> = {
  frequency({ draft }, value) {
    const { frequencies } = draft.form.terms;
    if (!frequencies.includes(value as Frequency)) return `one of ${frequencies.join(', ')}`;
    draft.update({ frequency: value as Frequency });
    return undefined;
  },
  fund({ draft }, value) {
    const { fund_choices } = draft.form.terms;
    const fund = fund_choices.find(({ id, name }) => id === value || name === value);
    const ids = fund_choices.map(({ id }) => id).join(', ');
    if (!fund) return ids ? `one of ${ids}` : 'omitted: this form has no fund choices';
    draft.update({ fund: fund.id });
    return undefined;
  },
  // After the frequency, because another frequency may have other preset amounts.
  amount({ draft }, value, { currencyDecimals }) {
    const { currency, terms } = draft.form;
    const { amount_locked, min_amount_cents: min, max_amount_cents: max } = terms;
    const cents = minorUnits(value, currencyDecimals(currency));
    if (amount_locked ? draft.presets.includes(cents) : cents >= min && cents <= max) {
      draft.chooseAmount(cents);
      return undefined;
    }
    const offered = draft.presets.map((preset) => draft.formatMoney(preset)).join(', ');
    return amount_locked
      ? `one of ${offered}`
      : `${draft.formatMoney(min)} to ${draft.formatMoney(max)}`;
  },
  analytics(opened, value, { currencyDecimals }) {
    if (value !== 'ga4') return 'ga4';
    reportToDataLayer(opened, currencyDecimals);
    return undefined;
  },
};

/**
 * Parses `25` or `25.50`, with a decimal point in every language, to minor units. NaN for anything
 * else.
 */
function minorUnits(text: string, decimals: number): number {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(text) ?? [];
  return fraction.length > decimals ? NaN : Number(`${whole}${fraction.padEnd(decimals, '0')}`);
}
