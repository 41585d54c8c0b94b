import type { LitElement } from 'lit';
import { warnOnce } from './resolve-server.ts';

/** Where anything else means what is meant when nothing is said. */
const ALLOWED_VALUES = {
  display: ['inline', 'button', 'sticky', 'modal'],
  theme: ['light', 'dark', 'auto'],
};

/** Tells the page's owner of attributes that say nothing, once the form is drawn without them. */
export function warnInvalidAttributes(
  host: LitElement & { texts?: unknown; appearance?: unknown },
) {
  for (const [name, values] of Object.entries(ALLOWED_VALUES)) {
    const value = host.getAttribute(name);
    if (value && !values.includes(value))
      warnOnce(host, name, value, `one of ${values.join(', ')}`);
  }
  for (const name of ['texts', 'appearance'] as const) {
    const said = host.getAttribute(name);
    if (said && typeof (host[name] ?? '') !== 'object') warnOnce(host, name, said, 'JSON');
  }
}
