import type { FormHost } from './form-context.ts';
import type { warnOnce } from '../shared/resolve-server.ts';

/** Properties whose invalid values are treated like the default. */
const ALLOWED_VALUES = {
  display: ['inline', 'button', 'sticky', 'modal'],
  theme: ['light', 'dark', 'auto'],
};

/**
 * Logs warnings about invalid properties, once the form is drawn with defaults instead.
 *
 * @param warn passed as an argument, because this file is a chunk of its own
 */
export function warnInvalidAttributes(host: FormHost, warn: typeof warnOnce) {
  for (const name of ['display', 'theme'] as const) {
    const value = host[name];
    const allowed = ALLOWED_VALUES[name];
    if (value && !allowed.includes(value)) warn(host, name, value, `one of ${allowed.join(', ')}`);
  }
  for (const name of ['messages', 'appearance'] as const) {
    // JSON that cannot be parsed leaves the property null.
    const value = host[name] ?? host.getAttribute(name);
    if (value && typeof value !== 'object') warn(host, name, `${value as string}`, 'JSON');
  }
}
