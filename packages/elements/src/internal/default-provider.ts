import { PROVIDER_REQUEST, type ConnectProvider } from '../connect-provider.ts';
import { findPageState } from './page-state.ts';

let defaultProvider: ConnectProvider | undefined;

/** Provides for tables that stand under no provider: it knows what `connect.init` was told. */
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

/** The provider that a table stands in, also beyond shadow roots: the closest one answers. */
export function findProvider(table: Element): ConnectProvider | undefined {
  const request: Event & { provider?: ConnectProvider } = new Event(PROVIDER_REQUEST, {
    bubbles: true,
    composed: true,
  });
  table.dispatchEvent(request);
  return request.provider;
}
