/** A family of elements that share one locale file per language. */
export type Family = 'form' | 'tables' | 'goal';

/**
 * Imports the texts of one family in one language. The build replaces this module with
 * `bundles/locale-file.ts`.
 */
export const importLocale = (family: Family, language: string) =>
  import(/* @vite-ignore */ `../locales/${family}/${language}.ts`) as Promise<{ texts: object }>;
