import { findProvider } from '../internal/default-provider.ts';
import { followPageTheme } from '../internal/page-theme.ts';

/**
 * Makes a `<connect-provider theme="auto">` follow the theme of its page, once it contains a table or a
 * details element.
 */
export function followProviderTheme(element: HTMLElement) {
  const provider = findProvider(element);
  if (provider?.theme === 'auto') followPageTheme(provider);
}
