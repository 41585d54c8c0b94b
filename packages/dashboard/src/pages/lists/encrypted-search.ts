import { readForm } from '@connect-embed/api/http/read-form';
import { MAX_SEARCH_LENGTH } from '@connect-embed/contract/list-filters';
import type { Deps } from '../deps.ts';
import type { DashboardContext, FlashMessage } from '../env.ts';
import { filteredUrl } from './list-filters.ts';

/**
 * Time for which the URL of a search is valid. Every member with access to the list can open the
 * URL.
 */
const LIFETIME_MS = 24 * 3_600_000;

type SearchDeps = Pick<Deps, 'searchEncrypter'>;

/** What a search is for. The URL of one is not valid for another, nor for another organization. */
type Searched = 'donations' | 'donors' | 'all';

const contextOf = (c: DashboardContext, searched: Searched) =>
  `${c.var.organization.organizationId} ${searched}`;

/**
 * Encrypts the search text for the page URL. People search for names and email addresses, and URLs
 * are stored in browser histories and in the logs of servers and proxies.
 */
export const encryptSearch = (
  c: DashboardContext,
  { searchEncrypter }: SearchDeps,
  searched: Searched,
  text: string,
): Promise<string> =>
  searchEncrypter.encrypt(
    JSON.stringify({ text, expiresAtMs: Date.now() + LIFETIME_MS }),
    contextOf(c, searched),
  );

/** The search of a page URL. */
interface Search {
  /** Undefined without a search, or if it cannot be used any more. */
  q: string | undefined;
  /** The URL parameter of `q`, in which it is encrypted. */
  params: { search?: string };
  /** True if the search in the URL has expired, or was not encrypted for this page. */
  isExpired: boolean;
}

/** Reads the search of a page URL. */
export async function readSearch(
  c: DashboardContext,
  { searchEncrypter }: SearchDeps,
  searched: Searched,
): Promise<Search> {
  const search = c.req.query('search') ?? '';
  const plaintext = search && (await searchEncrypter.decrypt(search, contextOf(c, searched)));
  if (plaintext) {
    const { text, expiresAtMs } = JSON.parse(plaintext) as { text: string; expiresAtMs: number };
    if (expiresAtMs > Date.now()) return { q: text, params: { search }, isExpired: false };
  }
  return { q: undefined, params: {}, isExpired: search !== '' };
}

/**
 * Redirects a submitted search to a URL with the encrypted text and the submitted filters.
 *
 * @param path URL path of the page with the results
 * @param filters names of the filters besides those of the period
 */
export async function redirectToSearch(
  c: DashboardContext,
  deps: SearchDeps,
  searched: Searched,
  path: string,
  filters: readonly string[] = [],
): Promise<Response> {
  const value = await readForm(c);
  const q = normalizeSearch(value('q'));
  const search = q ? await encryptSearch(c, deps, searched, q) : undefined;
  return c.redirect(filteredUrl(path, filters, value, search), 303);
}

/** Replaces control characters, trims the text and cuts it to the maximum length. */
export const normalizeSearch = (input: string): string =>
  input
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MAX_SEARCH_LENGTH);

/** Message above a list whose URL contains an expired search. */
export const SEARCH_EXPIRED: FlashMessage = {
  kind: 'problem',
  text: 'This search has expired. Enter it again.',
};
