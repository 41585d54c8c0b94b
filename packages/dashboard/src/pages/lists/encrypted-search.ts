import { z } from 'zod';
import type { FlashMessage } from '../env.ts';
import type { Encrypter } from '@connect-embed/api/lib/encrypter';

/**
 * Time for which the URL of a search is valid. Every member with access to the list can open the
 * URL.
 */
const LIFETIME_MS = 24 * 3_600_000;

const EncryptedSearch = z.tuple([z.string(), z.string(), z.number(), z.string()]);

/**
 * The list that a search belongs to. An encrypted search is valid only for this list and
 * organization.
 */
interface SearchScope {
  organizationId: string;
  list: 'donations' | 'donors' | 'all';
}

/**
 * Encrypts the search text for the page URL. People search for names and email addresses, and URLs
 * are stored in browser histories and in the logs of servers and proxies.
 */
export const encryptSearch = (
  encrypter: Encrypter,
  { organizationId, list }: SearchScope,
  text: string,
) => encrypter.encrypt(JSON.stringify([organizationId, list, Date.now() + LIFETIME_MS, text]));

/**
 * Decrypts the search text of a page URL.
 *
 * @returns undefined if the search has expired, belongs to another list or was not encrypted by
 *   this service
 */
export async function decryptSearch(
  encrypter: Encrypter,
  scope: SearchScope,
  ciphertext: string,
): Promise<string | undefined> {
  const plaintext = await encrypter.decrypt(ciphertext);
  if (plaintext === undefined) return undefined;
  const [organizationId, list, expiresAtMs, text] = EncryptedSearch.parse(JSON.parse(plaintext));
  const isOfList = organizationId === scope.organizationId && list === scope.list;
  return isOfList && expiresAtMs > Date.now() ? text : undefined;
}

/** Maximum length of a search text, in characters. */
const MAX_SEARCH_LENGTH = 100;

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
