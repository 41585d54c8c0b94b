import type { Frequency } from '@connect-embed/contract';
import { reportToDataLayer } from './analytics.ts';
import type { DefaultName, FormContext } from './form-context.ts';
import type { warnOnce } from '../shared/resolve-server.ts';

/** Functions of the form's bundle: `lazy-features.ts`. */
interface Deps {
  currencyDecimals: (currency: string) => number;
  warnOnce: typeof warnOnce;
}

/**
 * Applies properties of the element as values of the donation, as far as the form's terms allow
 * them. A property that was applied before is skipped until it changes, so that the donor's choice
 * stays. An empty property restores the form's own default.
 *
 * @returns whether a value of the donation was applied
 */
export function applyAttributeDefaults(
  context: FormContext,
  deps: Deps,
  canApply: (name: DefaultName) => boolean = () => true,
): boolean {
  const { host, appliedDefaults } = context;
  let hasApplied = false;
  for (const [name, apply] of Object.entries(APPLIERS) as [DefaultName, Applier][]) {
    const value = `${host[name] ?? ''}`.trim();
    if (value === (appliedDefaults[name] ?? '') || !canApply(name)) continue;
    appliedDefaults[name] = value;
    const expected = apply(context, value, deps);
    if (expected) deps.warnOnce(host, name, value, expected);
    else hasApplied ||= name !== 'analytics';
  }
  return hasApplied;
}

/** Returns a description of the allowed values if the value is not allowed. */
type Applier = (context: FormContext, value: string, deps: Deps) => string | undefined;

/** One function per property, in the order of application. */
const APPLIERS: Record<DefaultName, Applier> = {
  frequency({ appliedDefaults, draft }, value) {
    const { frequencies, default_frequency } = draft.form.terms;
    const frequency = (value || default_frequency) as Frequency;
    if (!frequencies.includes(frequency)) return `one of ${frequencies.join(', ')}`;
    draft.update({ frequency });
    // The amount of the page may not be a preset of this frequency; it is applied once more.
    if (draft.cents === undefined && !draft.values.other) delete appliedDefaults.amount;
    return undefined;
  },
  fund({ draft }, value) {
    const { fund_choices } = draft.form.terms;
    const fund = fund_choices.find(({ id, name }) => !value || id === value || name === value);
    const ids = fund_choices.map(({ id }) => id).join(', ');
    if (value && !fund) return ids ? `one of ${ids}` : 'omitted: this form has no fund choices';
    draft.update({ fund: fund?.id ?? '' });
    return undefined;
  },
  // After the frequency, because another frequency may have other preset amounts.
  amount({ draft }, value, { currencyDecimals }) {
    const { currency, terms } = draft.form;
    const { amount_locked, min_amount_cents: min, max_amount_cents: max } = terms;
    const cents = value
      ? minorUnits(value, currencyDecimals(currency))
      : (terms.default_amount_cents ?? undefined);
    const isAllowed =
      cents === undefined ||
      (amount_locked ? draft.presets.includes(cents) : cents >= min && cents <= max);
    if (isAllowed) {
      draft.chooseAmount(cents);
      return undefined;
    }
    const offered = draft.presets.map((preset) => draft.formatMoney(preset)).join(', ');
    return amount_locked
      ? `one of ${offered}`
      : `${draft.formatMoney(min)} to ${draft.formatMoney(max)}`;
  },
  analytics(context, value, { currencyDecimals }) {
    if (value && value !== 'ga4') return 'ga4';
    if (value) reportToDataLayer(context, currencyDecimals);
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
