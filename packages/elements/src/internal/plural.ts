import { fill, type Plural } from './fill.ts';

/** A text that counts something, as its language counts and writes numbers. */
export function counted(forms: Plural, count: number, language: string, values = {}): string {
  // An owner's own words may have one form for all.
  const { other = `${forms as unknown}` } = forms;
  const text = forms[new Intl.PluralRules(language).select(count)] ?? other;
  return fill(text, { count: new Intl.NumberFormat(language).format(count), ...values });
}
