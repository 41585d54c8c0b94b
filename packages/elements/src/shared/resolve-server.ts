import { getScriptUrl, serverAddress } from './server-address.ts';
import { warnOnce } from './warn-once.ts';

/**
 * The URL of an element's server: its `server` attribute, else the server that the script was
 * loaded from.
 *
 * An invalid URL is reported once in the console, and the default is used: elements do not throw.
 */
export function resolveServer(element: HTMLElement, address: string): string {
  const fallback = getScriptUrl();
  try {
    return serverAddress(address, fallback);
  } catch {
    warnOnce(element, 'server', address, 'a URL');
    return serverAddress(null, fallback);
  }
}
