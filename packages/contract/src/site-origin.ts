import { parse } from 'tldts';

/** `https://*.example.org`: at least two labels after the asterisk, and an optional port. */
const WILDCARD = /^https:\/\/\*((?:\.[a-z\d-]+){2,}(?::\d+)?)$/;

/** Returns whether an allow-list entry is valid and allows every subdomain of a domain. */
export const isWildcardOrigin = (text: string): boolean =>
  WILDCARD.test(text) && URL.parse(text.replace('*', 'www')) !== null;

/** Domains with websites of many owners that the public suffix list does not contain. */
const MORE_SHARED_DOMAINS = [
  ...['squarespace.com', 'ghost.io', 'wordpress.com'],
  ...['amazonaws.com', 'amazonaws.com.cn', 'azure.com', 'windows.net'],
  ...['canva.site', 'godaddysites.com', 'hubspotpagebuilder.com', 'jimdofree.com', 'jimdosite.com'],
  ...['mystrikingly.com', 'sites.google.com', 'weebly.com', 'wpcomstaging.com', 'wpengine.com'],
];

/** A domain below which others can have websites. */
interface SharedDomain {
  domain: string;
  /** `registry`: domains below it are sold, as below `co.uk`. `provider`: they are a service, as below `github.io`. */
  owner: 'registry' | 'provider';
}

/**
 * Returns the domain of a wildcard entry if its subdomains belong to others, as the public suffix list
 * (publicsuffix.org) says; undefined for other entries.
 */
export function findSharedDomain(entry: string): SharedDomain | undefined {
  const domain = WILDCARD.exec(entry)?.[1]?.slice(1).replace(/:\d+$/, '');
  if (domain === undefined) return undefined;
  // Providers name regions and services below their domain: `*.core.windows.net`.
  if (MORE_SHARED_DOMAINS.some((shared) => `.${domain}`.endsWith(`.${shared}`)))
    return { domain, owner: 'provider' };
  const subdomain = `www.${domain}`;
  const found = parse(subdomain, { allowPrivateDomains: true });
  // Some rules of the list have a wildcard of their own: every subdomain of compute.amazonaws.com is a suffix.
  const isShared = found.domain === null || found.domain === subdomain;
  return isShared ? { domain, owner: found.isPrivate ? 'provider' : 'registry' } : undefined;
}

/**
 * Returns why an entry is refused where nobody can confirm that it allows the websites of others;
 * undefined if it allows those of one owner.
 */
export function sharedDomainProblem(entry: string): string | undefined {
  const shared = findSharedDomain(entry);
  if (!shared) return undefined;
  const { domain, owner } = shared;
  return owner === 'registry'
    ? `must not allow every website below ${domain}, where anybody can register a domain. Enter a domain of your own.`
    : `must not allow every website on ${domain}. Enter your own address there. If you need all, an owner can confirm it under “Allowed sites” in the dashboard.`;
}

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

/**
 * Longest list of sites in a header, in characters. Proxies often accept 4 KB for all headers of a
 * response, and 100 sites can have more.
 */
const MAX_ANCESTORS_LENGTH = 2500;

/**
 * Returns the value of `frame-ancestors` for the sites that may frame a page. If the list is too long
 * for a header, the site that frames the page comes first, and sites that do not fit are left out.
 *
 * @param sites the allow-list
 * @param referrer the `Referer` header, whose origin is usually the site that frames the page
 */
export function frameAncestors(sites: readonly string[], referrer: string | undefined): string {
  const all = sites.join(' ');
  if (all.length <= MAX_ANCESTORS_LENGTH) return all || "'none'";
  const framing = URL.parse(referrer ?? '')?.origin ?? '';
  const ordered = originMatcher(sites)(framing) ? [framing, ...sites] : sites;
  let length = 0;
  return ordered.filter((site) => (length += site.length + 1) <= MAX_ANCESTORS_LENGTH).join(' ');
}
