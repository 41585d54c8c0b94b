import { ConnectDonate } from '../connect-donate.ts';
import { define } from '../shared/define-once.ts';
import { skeletonSteps } from './form-loading-view.ts';

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
 * The steps from evaluating this file to drawing the form's placeholder, each a short task:
 * docs/decisions/0067-layout-shift-and-long-tasks.md
 */
export const defineFormSteps: readonly (() => unknown)[] = [
  ...skeletonSteps,
  () => ConnectDonate.styles.map(({ styleSheet }) => styleSheet), // Has the browser parse the style sheets.
  defineForm,
];
