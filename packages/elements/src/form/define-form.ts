import { ConnectDonate } from '../connect-donate.ts';
import { findPageState, readForm } from '../shared/page-state.ts';
import { define } from '../shared/define-once.ts';

/** After a longer wait a placeholder is better. */
const MAX_WAIT_MS = 100;

/**
 * Defines `<connect-donate>` if the browser supports what it needs (`AbortSignal.any`,
 * `light-dark()`). In an older browser the tag stays undefined, so that its fallback content is
 * shown.
 *
 * On a server (SSR) `CSS` is undefined and the check is skipped; the server renders only the tag.
 */
export function defineForm() {
  const { CSS } = globalThis as { CSS?: typeof globalThis.CSS };
  if (!('any' in AbortSignal) || CSS?.supports('color:light-dark(red,red)') === false) return;
  define({ 'connect-donate': ConnectDonate });
}

/**
 * Waits for a form that the loader has requested, if any, because a placeholder that is replaced a moment
 * later delays the form.
 */
export async function waitForForm() {
  const requests = Object.values(findPageState()!.requests);
  if (!requests.length) return;
  const timeout = new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS));
  await Promise.any([timeout, ...requests.map(readForm)]);
}
