import { formatPlural } from '@connect-embed/contract/format-plural';
import { interpolate, type Plural } from '@connect-embed/contract/interpolate';
import { CATALOGS, type MessageKey, type Namespace } from './catalog.ts';

export type { MessageKey } from './catalog.ts';

/** The languages of the messages, such as `de`. */
export const LANGUAGES: readonly string[] = Object.keys(CATALOGS);

const RIGHT_TO_LEFT = new Set(['ar', 'he']);

/** Messages and formats for one person, in the language of that person. */
export interface Translator<Key extends string = never> {
  /** Language of the messages. */
  language: string;
  /** Locale of numbers and dates, such as `de-AT`. */
  locale: string;
  direction: 'ltr' | 'rtl';
  /**
   * @param values replace the placeholders
   * @param count selects the plural form, and replaces `{count}`
   */
  translate(key: Key, values?: Readonly<Record<string, string>>, count?: number): string;
  /**
   * Wraps a value in Unicode isolates in a right-to-left language, so that names and numbers keep
   * their order.
   */
  isolate(text: string): string;
}

/**
 * Creates a translator for the messages of the given namespaces. It uses the language of the tag if
 * that language is supported, and English otherwise.
 *
 * @param tag BCP 47 tag, such as `de-AT`; may come from a visitor
 */
export function createTranslator<N extends Namespace>(
  tag: string | null | undefined,
  ...namespaces: N[]
): Translator<MessageKey<N>> {
  const requested = canonicalLocale(tag);
  const primary = requested && new Intl.Locale(requested).language;
  const isSupported = primary !== undefined && Object.hasOwn(CATALOGS, primary);
  const language = isSupported ? primary : 'en';
  const locale = isSupported ? requested! : 'en';
  const direction = RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
  const messagesOf = (code: string) => namespaces.map((namespace) => CATALOGS[code]![namespace]);
  const messages = Object.assign({}, ...messagesOf('en'), ...messagesOf(language)) as Record<
    string,
    string | Plural
  >;
  return {
    language,
    locale,
    direction,
    isolate: (text) => (direction === 'rtl' ? `\u2068${text}\u2069` : text),
    translate(key, values = {}, count = 0) {
      const message = messages[key]!;
      if (typeof message === 'string') return interpolate(message, values);
      return formatPlural(message, count, locale, values);
    },
  };
}

/**
 * Returns the canonical form of a language tag, which may come from a visitor; undefined if the tag
 * is invalid.
 */
function canonicalLocale(tag: string | null | undefined): string | undefined {
  try {
    return tag && tag.length <= 35
      ? Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0]
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Chooses the supported language that ranks highest in an `Accept-Language` header.
 *
 * @param acceptLanguage value of the header: `de-AT,de;q=0.9,en;q=0.8`
 * @returns the tag as the browser sent it: `de-AT`; undefined if no language is supported
 */
export function preferredLanguageTag(acceptLanguage: string | undefined): string | undefined {
  const preferences = (acceptLanguage ?? '').split(',', 20).map((part) => {
    const [tag = '', quality = ''] = part.trim().split(/;\s*q=/);
    return { tag, weight: quality ? Number(quality) || 0 : 1 };
  });
  preferences.sort((first, second) => second.weight - first.weight);
  return preferences.find(({ tag, weight }) => {
    const language = tag.split('-')[0]!.toLowerCase();
    return weight > 0 && Object.hasOwn(CATALOGS, language);
  })?.tag;
}
