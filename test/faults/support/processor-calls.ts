import type { ProxiedRequest, ProxyHooks } from '../../support/http-proxy.ts';

/** Hooks that run an action once, at the first matching request of the API to the processor. */
export function once(
  when: 'request' | 'response',
  matches: (call: ProxiedRequest) => boolean,
  action: () => Promise<void> | void,
): ProxyHooks {
  let hasHappened = false;
  return {
    [when]: async (call: ProxiedRequest) => {
      if (hasHappened || !matches(call)) return;
      hasHappened = true;
      await action();
    },
  };
}

export const createsIntent = ({ method, path }: ProxiedRequest) =>
  method === 'POST' && path === '/v1/payment_intents';

export const retrievesIntent = ({ method, path }: ProxiedRequest) =>
  method === 'GET' && path.startsWith('/v1/payment_intents/');
