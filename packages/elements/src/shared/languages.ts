/** Languages with a file in `packages/locales/`. English is part of the script. */
export const TRANSLATED_LANGUAGES = [
  'ar',
  'de',
  'es',
  'fr',
  'he',
  'hi',
  'it',
  'ja',
  'nl',
  'pt',
  'zh',
];

const RIGHT_TO_LEFT = ['ar', 'he'];

/** The language of the messages for a BCP 47 tag: `de` for `de-AT`; `en` without a translation. */
export function languageOf(tag: string): string {
  const [language = ''] = tag.split('-');
  return TRANSLATED_LANGUAGES.includes(language) ? language : 'en';
}

export const isRightToLeft = (language: string) => RIGHT_TO_LEFT.includes(language);
