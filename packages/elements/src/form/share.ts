import { givingPage, hasOwnAddress, urlWithoutReturn } from './redirect-return.ts';
import type { FormContext } from './form-context.ts';

/**
 * The address of the page for sharing: its canonical address, or its current one without the parameters
 * that fill in the form. Without one, as in a frame with `srcdoc`, the form's giving page. Undefined on a
 * hosted form, whose address expires after an hour.
 */
export function linkToShare({ draft, server, name }: FormContext): string | undefined {
  // The server of a hosted form is its own address.
  if (location.origin + location.pathname === server) return undefined;
  if (!hasOwnAddress()) return givingPage(server, name);
  const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href;
  if (canonical) return canonical;
  const url = urlWithoutReturn();
  for (const key of draft.form.terms.prefill_from_url) url.searchParams.delete(key);
  return url.href;
}

/**
 * Opens the share sheet of the device, or copies the address if there is none.
 *
 * @returns which confirmation to show; undefined if the share sheet was shown
 */
export async function shareLink(
  url: string,
  title: string,
): Promise<'copied' | 'shown' | undefined> {
  try {
    if (navigator.share) return void (await navigator.share({ title, url }));
  } catch (error) {
    if ((error as Error).name === 'AbortError') return undefined; // The donor closed the share sheet.
  }
  try {
    await navigator.clipboard.writeText(url);
    return 'copied';
  } catch {
    return 'shown'; // Copying is not allowed in some frames and on pages without TLS.
  }
}
