import { PROVIDER_REQUEST, type ConnectProvider } from '../connect-provider.ts';
import { findPageState } from '../shared/page-state.ts';

let defaultProvider: ConnectProvider | undefined;

/**
 * Returns the provider for tables outside any `<connect-provider>`. It has the options of
 * `ConnectEmbed.init`.
 */
export function getDefaultProvider(): ConnectProvider {
  if (defaultProvider) return defaultProvider;
  const provider = (defaultProvider = document.createElement('connect-provider'));
  const share = findPageState();
  if (share) {
    share.init = () => (share.options ? provider.renew(share.options) : provider.logout());
    if (share.options) share.init();
  }
  return provider;
}

/**
 * Finds the closest provider around a table, also across shadow roots, with an event that the
 * provider handles.
 */
export function findProvider(table: Element): ConnectProvider | undefined {
  const request: Event & { provider?: ConnectProvider } = new Event(PROVIDER_REQUEST, {
    bubbles: true,
    composed: true,
  });
  table.dispatchEvent(request);
  return request.provider;
}
