import { interpolate, type Plural } from './interpolate.ts';

/** Formats a message with a count, using the language's plural rules and digits. */
export function formatPlural(forms: Plural, count: number, language: string, values = {}): string {
  // A message of the host page may be a single string without plural forms.
  const { other = `${forms as unknown}` } = forms;
  const text = forms[new Intl.PluralRules(language).select(count)] ?? other;
  return interpolate(text, { count: new Intl.NumberFormat(language).format(count), ...values });
}
