import { ConnectDonate } from '../connect-donate.ts';
import { define } from '../shared/define-once.ts';

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
