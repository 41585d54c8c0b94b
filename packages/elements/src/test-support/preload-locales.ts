import { importLocale } from '../internal/locale-file.ts';

export const LANGUAGES = ['ar', 'de', 'es', 'fr', 'he', 'hi', 'it', 'ja', 'nl', 'pt', 'zh'];

/**
 * Has the words of every language here before a form asks: after four seconds it would be English, and
 * a busy machine may need longer to compile them.
 */
export const preloadLocales = () =>
  Promise.all(LANGUAGES.map((language) => importLocale('form', language)));
