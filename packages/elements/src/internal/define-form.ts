import { ConnectDonate } from '../connect-donate.ts';
import { define } from './define-once.ts';

/**
 * Registers the form where the browser has what it stands on. In an older one the tag stays
 * unknown, so that what its owner put into it is shown: a link to give through.
 */
export function defineForm() {
  if (!('any' in AbortSignal) || !CSS.supports('color', 'light-dark(red,red)')) return;
  define({ 'connect-donate': ConnectDonate });
}
