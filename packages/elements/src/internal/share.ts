import { urlWithoutReturn } from './gift-return.ts';
import type { OpenedForm } from './opened-form.ts';

/**
 * The address of the page, for others: the one that the page calls its own, or the one it has, without
 * what fills in this donor's form. Undefined on a hosted form, whose address is good for an hour only.
 */
export function linkToShare({ answer }: OpenedForm): string | undefined {
  if (location.href.startsWith(answer.embed_url)) return undefined;
  const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href;
  if (canonical) return canonical;
  const url = urlWithoutReturn();
  for (const key of answer.form.terms.prefill_from_url) url.searchParams.delete(key);
  return url.href;
}

/**
 * Hands the address to the device, or copies it where a device shares nothing.
 *
 * @returns what the donor is shown of it; undefined when the device has shown all there is
 */
export async function shareLink(
  url: string,
  title: string,
): Promise<'copied' | 'shown' | undefined> {
  try {
    if (navigator.share) return void (await navigator.share({ title, url }));
  } catch (error) {
    if ((error as Error).name === 'AbortError') return undefined; // The donor thought better of it.
  }
  try {
    await navigator.clipboard.writeText(url);
    return 'copied';
  } catch {
    return 'shown'; // Not allowed here, as in some frames and on pages without TLS.
  }
}
