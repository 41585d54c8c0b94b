import type { PublicForm } from '@connect-embed/contract';
import { isUsEnglish } from './format-amount.ts';
import { needsResume } from './pending-payment.ts';

/**
 * True if the form has not arrived yet, or if something else has to be loaded before it can be drawn.
 * Otherwise a placeholder would only be replaced in the same moment.
 *
 * @param name the element's `form` attribute
 */
export const needsPlaceholder = (
  form: PublicForm | Promise<PublicForm>,
  language: string,
  name: string | null,
): boolean =>
  form instanceof Promise || !isUsEnglish(language, form.currency) || needsResume(name, form.terms);
