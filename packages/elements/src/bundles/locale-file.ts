/** One hash for all locale files, inserted by the build. */
declare const LOCALES_HASH: string;

/** Replaces `shared/locale-file.ts` in the build, because built locale files have other names. */
export const importLocale = (family: string, language: string) =>
  import(/* @vite-ignore */ `./${family}-${language}-${LOCALES_HASH}.js`);
