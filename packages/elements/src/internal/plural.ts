import { interpolate, type Plural } from './interpolate.ts';

/** A text that counts something, as its language counts and writes numbers. */
export function formatPlural(forms: Plural, count: number, language: string, values = {}): string {
  // An owner's own words may have one form for all.
  const { other = `${forms as unknown}` } = forms;
  const text = forms[new Intl.PluralRules(language).select(count)] ?? other;
  return interpolate(text, { count: new Intl.NumberFormat(language).format(count), ...values });
}
