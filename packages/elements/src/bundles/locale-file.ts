/** Of all languages together; the build puts it in. */
declare const LOCALES_HASH: string;

/** `internal/locale-file.ts` as the build names files. */
export const importLocale = (family: string, language: string) =>
  import(/* @vite-ignore */ `./${family}-${language}-${LOCALES_HASH}.js`);
