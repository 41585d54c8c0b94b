import { serverAddress } from './server-address.ts';
import { getScriptUrl } from './script-url.ts';

export { setScriptUrl } from './script-url.ts';

/**
 * The server an element talks to: its attribute, else where the script came from.
 *
 * A bad address is told once in the console, and the default is taken: an element never throws.
 */
export function resolveServer(element: HTMLElement, address: string): string {
  const fallback = getScriptUrl();
  try {
    return serverAddress(address, fallback);
  } catch {
    warnOnce(element, 'server', address, 'an address');
    return serverAddress(null, fallback);
  }
}

const warned = new Set<string>();

/** Tells the page's owner what an attribute may be; once for each value. */
export function warnOnce(element: HTMLElement, attribute: string, value: string, allowed: string) {
  const text = `<${element.localName}> ${attribute}="${value}": must be ${allowed}.`;
  if (warned.has(text)) return;
  warned.add(text);
  console.warn(text);
}
