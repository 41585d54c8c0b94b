import type { FormContext, Replacement } from './form-context.ts';
import { focusAfterRender } from './problem-summary.ts';
import { restoreInput } from './stored-draft.ts';

/**
 * Continues where the donor was in a form that was out of date: fills in what the donor had entered, and
 * restores the focus once the form is drawn.
 */
export function continueInput(
  context: FormContext,
  { values, focused }: Replacement,
  onReady: () => void,
) {
  const { draft, host, signal } = context;
  restoreInput(draft, values);
  const listener = () => {
    onReady();
    if (focused) focusAfterRender(context, focused);
  };
  host.addEventListener('connect-ready', listener, { once: true, signal });
}
