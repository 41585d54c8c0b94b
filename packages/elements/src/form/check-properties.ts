import type { PropertyValues } from 'lit';
import type { ConnectDonate } from '../connect-donate.ts';
import { warnOnce } from '../shared/resolve-server.ts';

const ALLOWED_VALUES = {
  display: ['inline', 'button', 'sticky', 'modal'],
  theme: ['light', 'dark', 'auto'],
  analytics: ['ga4'],
};

/** Warns in the console about invalid properties, which are treated as if they were not set. */
export function checkProperties(host: ConnectDonate, changed: PropertyValues<ConnectDonate>) {
  for (const name of ['display', 'theme', 'analytics'] as const) {
    const value = host[name];
    const allowed = ALLOWED_VALUES[name];
    if (!changed.has(name) || !value || allowed.includes(value)) continue;
    warnOnce(host, name, value, allowed.length > 1 ? `one of ${allowed.join(', ')}` : allowed[0]!);
  }
  for (const name of ['messages', 'appearance'] as const) {
    if (!changed.has(name)) continue;
    // JSON that cannot be parsed leaves the property null.
    const value: unknown = host[name] ?? host.getAttribute(name);
    if (value && typeof value !== 'object') warnOnce(host, name, `${value as string}`, 'JSON');
  }
}
