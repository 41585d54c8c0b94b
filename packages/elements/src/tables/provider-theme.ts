import { findProvider } from './default-provider.ts';
import { followPageTheme } from '../shared/page-theme.ts';

/**
 * Makes a `<connect-provider theme="auto">` follow the theme of its page, once it contains a table or a
 * details element.
 */
export function followProviderTheme(element: HTMLElement) {
  const provider = findProvider(element);
  if (provider?.theme === 'auto') followPageTheme(provider);
}
