import type { DatabaseSync } from 'node:sqlite';
import { createConnectServer } from '@connect-embed/server';
import { clientAddress, nodeOptions } from '@connect-embed/server/node';
import type { Config } from './config.ts';
import { sqlTokenStore } from './token-store.ts';

interface Hooks {
  /** The id of the customer who is signed in; undefined if nobody is. */
  customerOf(request: Request): Promise<string | undefined>;
  onConnected(customer: string, organizationId: string): Promise<void>;
  onDisconnected(organizationId: string): void;
}

/** Creates the Connect server of the platform, which has no API key: each organization approves it. */
export const createConnect = (config: Config, database: DatabaseSync, hooks: Hooks) =>
  createConnectServer({
    ...nodeOptions(),
    basePath: '/connect',
    apiBase: config.CONNECT_API_BASE,
    sessionSecret: config.SESSION_SECRET,
    origins: [config.PLATFORM_ORIGIN],
    forms: {},
    viewer: { secret: config.VIEWER_SECRET },
    clientIp: clientAddress(0),
    platform: {
      clientId: config.CONNECT_CLIENT_ID,
      clientSecret: config.CONNECT_CLIENT_SECRET,
      issuer: new URL(config.CONNECT_API_BASE).origin,
      redirectUri: `${config.PLATFORM_ORIGIN}/connect/oauth/callback`,
      afterUrl: `${config.PLATFORM_ORIGIN}/`,
      scopes: ['donations:read', 'payouts:read', 'webhooks:write'],
      tokens: sqlTokenStore(database),
      mayConnect: async (request) => (await hooks.customerOf(request)) !== undefined,
      onConnected: async (organizationId, request) => {
        const customer = await hooks.customerOf(request);
        if (customer) await hooks.onConnected(customer, organizationId);
      },
      onDisconnected: hooks.onDisconnected,
    },
  });
