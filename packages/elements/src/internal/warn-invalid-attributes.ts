import type { LitElement } from 'lit';
import { warnOnce } from './resolve-server.ts';

/** Attributes whose invalid values are treated like the default. */
const ALLOWED_VALUES = {
  display: ['inline', 'button', 'sticky', 'modal'],
  theme: ['light', 'dark', 'auto'],
};

/** Logs warnings about invalid attributes, once the form is drawn with defaults instead. */
export function warnInvalidAttributes(
  host: LitElement & { messages?: unknown; appearance?: unknown },
) {
  for (const [name, values] of Object.entries(ALLOWED_VALUES)) {
    const value = host.getAttribute(name);
    if (value && !values.includes(value))
      warnOnce(host, name, value, `one of ${values.join(', ')}`);
  }
  for (const name of ['messages', 'appearance'] as const) {
    const said = host.getAttribute(name);
    if (said && typeof (host[name] ?? '') !== 'object') warnOnce(host, name, said, 'JSON');
  }
}
