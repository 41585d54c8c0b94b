/** `https://*.example.org`: at least two labels after the asterisk, and a port where there is one. */
const WILDCARD = /^https:\/\/\*((?:\.[a-z\d-]+){2,}(?::\d+)?)$/;

/** Whether a text means every subdomain of a domain. */
export const isWildcardOrigin = (text: string): boolean =>
  WILDCARD.test(text) && URL.parse(text.replace('*', 'www')) !== null;

/**
 * Whether an origin is one of these: exactly, or as a subdomain of any depth where the entry is
 * `https://*.example.org`. The domain itself is no subdomain, and neither is `evil-example.org`.
 *
 * @param origin as a browser sends it
 */
export function originMatcher(entries: readonly string[]): (origin: string) => boolean {
  const exact = new Set(entries.filter((entry) => !entry.includes('*')));
  const suffixes = entries.flatMap((entry) => WILDCARD.exec(entry)?.[1] ?? []);
  return (origin) => exact.has(origin) || suffixes.some((end) => isSubdomain(origin, end));
}

/** @param end `.example.org`, or `.example.org:8443` */
function isSubdomain(origin: string, end: string): boolean {
  if (!origin.startsWith('https://') || !origin.endsWith(end)) return false;
  const labels = origin.slice('https://'.length, -end.length);
  return /^[a-z\d_-]+(?:\.[a-z\d_-]+)*$/.test(labels) && URL.parse(origin)?.origin === origin;
}
