/** A family of elements whose texts are one file a language. */
export type Family = 'form' | 'tables' | 'goal';

/** One language of one family. The build has names of its own: `bundles/locale-file.ts`. */
export const importLocale = (family: Family, language: string) =>
  import(/* @vite-ignore */ `../locales/${family}/${language}.ts`) as Promise<{ texts: object }>;
