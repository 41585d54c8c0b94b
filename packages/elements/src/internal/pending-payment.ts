import type { DonationTerms } from '@connect-embed/contract';

/** Name of what is kept in the browser from a donor's first input on; nothing is kept before. */
export const STORAGE_KEY = 'connect-embed';

/** Which form of the page a donor comes back to. Ours, in the address that a bank sends them to. */
export const RETURN_PARAMETER = 'connect_form';

/**
 * Is there word of a gift that was begun earlier, or anything in the address that the form takes?
 *
 * Reads and keeps nothing. `donations.ts` looks closer, before the form is drawn.
 */
export function needsResume(
  form: string | null,
  { prefill_from_url: keys }: DonationTerms,
): boolean {
  const parameters = new URLSearchParams(location.search);
  if (parameters.get(RETURN_PARAMETER) === (form ?? '')) return true;
  if (keys.some((key) => parameters.has(key))) return true;
  try {
    return !!(sessionStorage[STORAGE_KEY] ?? localStorage[STORAGE_KEY]);
  } catch {
    return false; // Keeping is forbidden here, so nothing is kept.
  }
}
