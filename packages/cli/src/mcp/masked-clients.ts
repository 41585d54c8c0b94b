import { Connect, type ConnectOptions } from '@connect-embed/client';
import { MASKS, type Component } from '@connect-embed/contract';

/** A session is replaced this long before it expires. */
const MARGIN_MS = 5 * 60_000;

/**
 * Returns a function that creates a client for a component, with a session whose responses the API
 * masks: docs/decisions/0059-field-masking.md. There is one session for each component, so that the API
 * key needs only the scopes of the tools that are used.
 */
export function createMaskedClients(connect: Connect, options: ConnectOptions) {
  const clients = new Map<Component, { client: Connect; expiresMs: number }>();
  return async (component: Component): Promise<Connect> => {
    const current = clients.get(component);
    if (current && current.expiresMs > Date.now() + MARGIN_MS) return current.client;
    const { token, expires_at } = await connect.componentSessions.create({
      components: [component],
      masks: [...MASKS],
    });
    const client = new Connect({ ...options, token });
    clients.set(component, { client, expiresMs: Date.parse(expires_at) });
    return client;
  };
}
