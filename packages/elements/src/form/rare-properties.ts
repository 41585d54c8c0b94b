import type { PropertyValues } from '../shared/connect-element.ts';
import { followPageTheme } from '../shared/page-theme.ts';
import { applyAppearance } from './apply-appearance.ts';
import type { FormHost } from './form-context.ts';
import type { warnOnce } from '../shared/resolve-server.ts';

const ALLOWED_VALUES = {
  display: ['inline', 'button', 'sticky', 'modal'],
  theme: ['light', 'dark', 'auto'],
};

/**
 * Applies properties that few pages set, and warns about invalid values, which are treated like the
 * default. This file is a chunk of its own.
 *
 * @param changed the changed properties of an update
 * @param warn passed as an argument, because the form's bundle contains it
 */
export function applyRareProperties(
  host: FormHost,
  changed: PropertyValues,
  warn: typeof warnOnce,
) {
  warnInvalidProperties(host, warn);
  if (host.theme === 'auto') followPageTheme(host);
  if (changed.has('appearance')) applyAppearance(host, host.appearance);
}

function warnInvalidProperties(host: FormHost, warn: typeof warnOnce) {
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
