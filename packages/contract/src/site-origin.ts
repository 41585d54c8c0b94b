/** `https://*.example.org`: at least two labels after the asterisk, and an optional port. */
const WILDCARD = /^https:\/\/\*((?:\.[a-z\d-]+){2,}(?::\d+)?)$/;

/** Returns whether an allow-list entry is valid and allows every subdomain of a domain. */
export const isWildcardOrigin = (text: string): boolean =>
  WILDCARD.test(text) && URL.parse(text.replace('*', 'www')) !== null;

/**
 * Returns a function that checks an origin against an allow-list. An origin matches an equal entry,
 * or `https://*.example.org` if it is a subdomain at any depth. The domain itself does not match,
 * and neither does `evil-example.org`.
 *
 * @param entries the allow-list
 */
export function originMatcher(entries: readonly string[]): (origin: string) => boolean {
  const exact = new Set(entries.filter((entry) => !entry.includes('*')));
  const suffixes = entries.flatMap((entry) => WILDCARD.exec(entry)?.[1] ?? []);
  return (origin) => exact.has(origin) || suffixes.some((suffix) => isSubdomain(origin, suffix));
}

/** @param suffix such as `.example.org` or `.example.org:8443` */
function isSubdomain(origin: string, suffix: string): boolean {
  if (!origin.startsWith('https://') || !origin.endsWith(suffix)) return false;
  const labels = origin.slice('https://'.length, -suffix.length);
  return /^[a-z\d_-]+(?:\.[a-z\d_-]+)*$/.test(labels) && URL.parse(origin)?.origin === origin;
}
