import type { FormState } from './form-state.ts';

/**
 * True if the donor can fill in the form and press Give. Not in `form-state.ts`, because only the
 * code that is loaded after the form is drawn needs it.
 */
export const isEditable = ({ status }: FormState) => /^(ready|failed|blocked)$/.test(status);
