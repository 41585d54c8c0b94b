import { ConnectDonate } from '../connect-donate.ts';
import { define } from './define-once.ts';
import { outlineSteps } from './form-loading-view.ts';

/**
 * Registers the form where the browser has what it stands on. In an older one the tag stays
 * unknown, so that what its owner put into it is shown: a link to give through.
 *
 * A server has no styles to ask about, and draws the bare tag.
 */
export function defineForm() {
  const { CSS } = globalThis as { CSS?: typeof globalThis.CSS };
  if (!('any' in AbortSignal) || CSS?.supports('color:light-dark(red,red)') === false) return;
  define({ 'connect-donate': ConnectDonate });
}

/** From this file to a drawn outline in short tasks: docs/decisions/0071-every-step-a-task.md */
export const defineFormSteps: readonly (() => unknown)[] = [
  ...outlineSteps,
  () => ConnectDonate.styles.map(({ styleSheet }) => styleSheet), // Has them read.
  defineForm,
];
