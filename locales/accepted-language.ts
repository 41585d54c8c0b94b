import { CATALOGS } from './catalog.ts';

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
