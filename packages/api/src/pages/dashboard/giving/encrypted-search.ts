import { z } from 'zod';
import type { FlashMessage } from '../dashboard-layout.ts';
import type { Encrypter } from '../../../encrypter.ts';

/** How long the address of a search can be opened, by anybody who may see the list. */
const LIFETIME_MS = 24 * 3_600_000;

const EncryptedSearch = z.tuple([z.string(), z.string(), z.number(), z.string()]);

/** The list that a search is of: it opens for no other list and no other organization. */
export interface SearchScope {
  organizationId: string;
  list: 'donations' | 'donors';
}

/**
 * Encrypts the search text for the address of a page. People search for names and e-mail addresses, and
 * page addresses are stored in browser histories and in the logs of servers and proxies.
 */
export const encryptSearch = (
  seal: Encrypter,
  { organizationId, list }: SearchScope,
  text: string,
) => seal.encrypt(JSON.stringify([organizationId, list, Date.now() + LIFETIME_MS, text]));

/** @returns undefined for a search that is too old, of another list, or was not made here */
export async function decryptSearch(
  seal: Encrypter,
  searched: SearchScope,
  sealed: string,
): Promise<string | undefined> {
  const opened = await seal.decrypt(sealed);
  if (opened === undefined) return undefined;
  const [organizationId, list, until, text] = EncryptedSearch.parse(JSON.parse(opened));
  const isOfList = organizationId === searched.organizationId && list === searched.list;
  return isOfList && until > Date.now() ? text : undefined;
}

/** Longest text that is searched for. */
const MAX_SEARCH_LENGTH = 100;

/** What somebody typed, as it can be searched for. */
export const normalizeSearch = (input: string): string =>
  input
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MAX_SEARCH_LENGTH);

/** Above a list whose address names a search that cannot be opened any more. */
export const SEARCH_EXPIRED: FlashMessage = {
  kind: 'problem',
  text: 'This search has expired. Enter it again.',
};
