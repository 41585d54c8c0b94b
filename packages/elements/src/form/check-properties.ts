import type { ConnectDonate } from '../connect-donate.ts';
import { warnUnlessObject, warnUnlessOneOf } from '../shared/warn-once.ts';

/** Warns in the console about invalid properties, which are treated as if they were not set. */
export function checkProperties(host: ConnectDonate) {
  warnUnlessOneOf(host, 'display', ['inline', 'button', 'sticky', 'modal']);
  warnUnlessOneOf(host, 'analytics', ['ga4']);
  warnUnlessObject(host, 'appearance');
}
