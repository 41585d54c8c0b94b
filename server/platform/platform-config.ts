import { ALL_SCOPES } from '@connect-embed/contract';
import { z } from 'zod';
import type { TokenStore } from './token-store.ts';

/** Decides whether a visitor may start the OAuth flow. Without it, anyone may connect their organization. */
export type MayConnect = (request: Request) => boolean | Promise<boolean>;

/** Called for every newly connected organization, with the request that completed the connection. */
export type OnConnected = (organizationId: string, request: Request) => void | Promise<void>;

/**
 * Called when the server notices that an organization has disconnected the platform in its dashboard: at the first
 * request to the API for it, or when its token is renewed, within an hour of use.
 */
export type OnDisconnected = (organizationId: string) => void | Promise<void>;

/** A platform acts for many organizations that have approved it (spec: OAuth 2.0). */
export const PlatformConfig = z.strictObject({
  /** The app's client id, as registered in the dashboard. */
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** `{base_url}` of the Connect API, which is its OAuth issuer. */
  issuer: z.url({ protocol: /^https?$/ }),
  /** This server's `/oauth/callback` as reachable from browsers; registered with the app. */
  redirectUri: z.url({ protocol: /^https?$/ }),
  scopes: z
    .array(z.enum(ALL_SCOPES))
    .min(1)
    .default(['donations:read', 'donors:read', 'payouts:read']),
  /** The browser is redirected here after an organization has connected or declined. */
  afterUrl: z.url({ protocol: /^https?$/ }),
  tokens: z
    .custom<TokenStore>((value) => typeof (value as TokenStore)?.get === 'function')
    .optional(),
  mayConnect: z.custom<MayConnect>((hook) => typeof hook === 'function').optional(),
  onConnected: z.custom<OnConnected>((hook) => typeof hook === 'function').optional(),
  onDisconnected: z.custom<OnDisconnected>((hook) => typeof hook === 'function').optional(),
});
export type PlatformConfig = z.output<typeof PlatformConfig>;
