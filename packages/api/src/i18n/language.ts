import { ar } from './ar.ts';
import { de } from './de.ts';
import { en, type Messages } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { hi } from './hi.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { nl } from './nl.ts';
import { pt } from './pt.ts';
import { zh } from './zh.ts';

export type { Messages };

/** Languages of the messages for donors. */
export const LANGUAGES: Record<string, Messages> = {
  en,
  ar,
  de,
  es,
  fr,
  he,
  hi,
  it,
  ja,
  nl,
  pt,
  zh,
};

const RIGHT_TO_LEFT = new Set(['ar', 'he']);

/** Messages and formats for one donor. */
export interface Translator {
  /** Language of the messages. */
  language: string;
  /** Locale of numbers and dates, such as `de-AT`. */
  locale: string;
  direction: 'ltr' | 'rtl';
  translate(key: keyof Messages, parts?: Readonly<Record<string, string>>): string;
  /**
   * Wraps a value in Unicode isolates in a right-to-left language, so that names and numbers keep
   * their order.
   */
  isolate(text: string): string;
}

/** Uses the donor's language if it is supported, and English otherwise. */
export function createTranslator(tag: string | null): Translator {
  const locale = canonicalLocale(tag);
  const language = locale && new Intl.Locale(locale).language;
  const known = language !== undefined && Object.hasOwn(LANGUAGES, language);
  const messages = known ? LANGUAGES[language]! : en;
  const direction = known && RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
  const isolate = (text: string) => (direction === 'rtl' ? `\u2068${text}\u2069` : text);
  const interpolate = (text: string | undefined) =>
    text === undefined ? undefined : isolate(text);
  return {
    language: known ? language : 'en',
    locale: known ? locale! : 'en',
    direction,
    isolate,
    translate: (key, parts = {}) =>
      messages[key].replace(
        /\{(\w+)\}/g,
        (whole, name: string) => interpolate(parts[name]) ?? whole,
      ),
  };
}

/** Validates a language tag, which comes from the host page. Returns undefined if it is invalid. */
function canonicalLocale(tag: string | null): string | undefined {
  try {
    return tag && tag.length <= 35 ? Intl.getCanonicalLocales(tag)[0] : undefined;
  } catch {
    return undefined;
  }
}
