import { QUESTION, type ConnectProvider } from '../connect-provider.ts';
import { findShare } from './page.ts';

let whole: ConnectProvider | undefined;

/** Provides for tables that stand under no provider: it knows what `connect.init` was told. */
export function pageProvider(): ConnectProvider {
  if (whole) return whole;
  const provider = (whole = document.createElement('connect-provider'));
  const share = findShare();
  if (share) {
    share.init = () => (share.options ? provider.renew(share.options) : provider.logout());
    if (share.options) share.init();
  }
  return provider;
}

/** The provider that a table stands in, also beyond shadow roots: the closest one answers. */
export function providerOf(table: Element): ConnectProvider | undefined {
  const question: Event & { provider?: ConnectProvider } = new Event(QUESTION, {
    bubbles: true,
    composed: true,
  });
  table.dispatchEvent(question);
  return question.provider;
}
