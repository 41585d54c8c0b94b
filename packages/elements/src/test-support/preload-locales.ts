import { importLocale } from '../shared/locale-file.ts';

export const LANGUAGES = ['ar', 'de', 'es', 'fr', 'he', 'hi', 'it', 'ja', 'nl', 'pt', 'zh'];

/**
 * Loads the form's texts in every language. Otherwise, on a slow machine, a form could time out
 * waiting for them (after four seconds) and show English.
 */
export const preloadLocales = () =>
  Promise.all(LANGUAGES.map((language) => importLocale('form', language)));
