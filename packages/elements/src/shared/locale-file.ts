/** Namespaces that the elements load as one file for each language. */
export const ELEMENT_NAMESPACES = {
  form: ['form', 'donationFlow'],
  tables: ['tables', 'tableFeatures'],
  goal: ['goal'],
} as const;

/** A family of elements that share one file of messages per language. */
export type Family = keyof typeof ELEMENT_NAMESPACES;

type Catalog = Record<string, object>;

/**
 * Imports the messages of one family in one language. The build replaces this module with
 * `bundles/locale-file.ts`.
 */
export const importLocale = async (
  family: Family,
  language: string,
): Promise<{ messages: object }> => {
  const catalog = (await import(/* @vite-ignore */ `../../../locales/${language}.json`)) as Catalog;
  const parts = ELEMENT_NAMESPACES[family].map((namespace) => catalog[namespace]);
  return { messages: Object.assign({}, ...parts) as object };
};
