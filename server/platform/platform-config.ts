import { ALL_SCOPES } from '@connect-embed/contract';
import { z } from 'zod';
import type { TokenStore } from './token-store.ts';

/** Asked before anybody is sent to connect; without it, anybody may offer their organization. */
export type MayConnect = (request: Request) => boolean | Promise<boolean>;

/** Told of every organization that has been connected, with the request of who did it. */
export type OnConnected = (organizationId: string, request: Request) => void | Promise<void>;

/** A platform acts for many organizations, each of which has approved it (spec: OAuth 2.0). */
export const PlatformConfig = z.strictObject({
  /** Of the app, as registered in the dashboard. */
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** `{base_url}` of the Connect API, which its metadata names as the issuer. */
  issuer: z.url({ protocol: /^https?$/ }),
  /** This server's own `/oauth/callback` as browsers reach it; registered with the app. */
  redirectUri: z.url({ protocol: /^https?$/ }),
  scopes: z
    .array(z.enum(ALL_SCOPES))
    .min(1)
    .default(['donations:read', 'donors:read', 'payouts:read']),
  /** Where the browser goes once an organization is connected, or has refused. */
  afterUrl: z.url({ protocol: /^https?$/ }),
  tokens: z
    .custom<TokenStore>((value) => typeof (value as TokenStore)?.get === 'function')
    .optional(),
  mayConnect: z.custom<MayConnect>((hook) => typeof hook === 'function').optional(),
  onConnected: z.custom<OnConnected>((hook) => typeof hook === 'function').optional(),
});
export type PlatformConfig = z.output<typeof PlatformConfig>;
