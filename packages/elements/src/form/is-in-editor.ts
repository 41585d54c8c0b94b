import { hostOf } from './mount-point.ts';

/**
 * True if the element is inside text that is being edited, such as a post in a site builder's editor.
 *
 * The payment fields must not be mounted there: the editor would store Stripe's iframes as part of the
 * text.
 */
export function isInEditor(element: Element): boolean {
  for (let at: Element | undefined = element; at; at = hostOf(at)) {
    if ((at as HTMLElement).isContentEditable) return true;
  }
  return false;
}
