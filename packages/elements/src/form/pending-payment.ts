import type { DonationTerms } from '@connect-embed/contract';

/**
 * Key of our data in `sessionStorage` and `localStorage`. Nothing is stored before the donor's
 * first input.
 */
export const STORAGE_KEY = 'connect-embed';

/**
 * Query parameter of the return URL after a bank redirect: the name of the form that the donor came
 * from.
 */
export const RETURN_PARAMETER = 'connect_form';

/**
 * True if the browser's storage or the page's URL may contain an earlier payment or values to fill
 * in.
 *
 * It only checks for existence. `donation-flow.ts` reads the data, before the form is drawn.
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
    return false; // Storage is forbidden, so nothing is stored.
  }
}
