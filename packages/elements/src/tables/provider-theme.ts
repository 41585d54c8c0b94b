import { findProvider } from '../internal/default-provider.ts';
import { followPageTheme } from '../internal/page-theme.ts';

/** A provider with `theme="auto"` follows the page once a table or a record inside asks for it. */
export function followProviderTheme(element: HTMLElement) {
  const provider = findProvider(element);
  if (provider?.theme === 'auto') followPageTheme(provider);
}
