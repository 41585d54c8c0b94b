import {
  COMPONENTS,
  GiftTermsInput,
  Masks,
  MASKS,
  Prefill,
  SESSION_LIFETIME_SECONDS,
} from '@connect-embed/contract';
import { isWildcardOrigin } from '@connect-embed/contract/site-origin';
import { z } from 'zod';
import { GuardConfig } from './guard/donation-guard.ts';
import { LimitsConfig } from './rate-limits.ts';
import type { Log } from './log.ts';
import { PlatformConfig } from './platform/platform-config.ts';
import { isWebhookSecret, type HandledEvents, type OnEvent } from './webhook-events.ts';
import type { Scripts } from './routes/scripts.ts';

/** HS256 wants a key as long as its digest (RFC 7518, 3.2). */
export const MIN_SECRET_LENGTH = 32;

/** Below a minute a donor would renew while typing. */
const MIN_SESSION_SECONDS = 60;

/** Time enough to renew, with retries, before donors see an expired session. */
const RENEW_BEFORE_SECONDS = 300;

const Secret = z
  .string()
  .min(MIN_SECRET_LENGTH, `must be at least ${MIN_SECRET_LENGTH} characters long.`);

/** As `POST /webhooks` and `…/rotate-secret` of the API tell it. */
export const WebhookSecret = z.string().refine(isWebhookSecret, 'must be a whsec_… secret.');

/**
 * An origin exactly as browsers send it, or `https://*.example.org` for every subdomain; a path, a
 * slash or another `*` would never match.
 */
export const Origin = z.string().refine((text) => {
  if (text.includes('*')) return isWildcardOrigin(text);
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}, 'must be an origin as browsers send it, such as https://www.example.org, or https://*.example.org for every subdomain (no path, no final slash).');

const Id = z.string().min(1).max(100);

/** What one named form lets a donor give, and what it already knows of them. */
const Form = GiftTermsInput.extend({
  prefill: Prefill.optional(),
  /** On a platform: the connected organization that the form collects for. */
  organization: Id.optional(),
});

const TokenRules = {
  /** The token's `aud` must be this. */
  audience: z.string().min(1).optional(),
  /** The token's `iss` must be this. */
  issuer: z.string().min(1).optional(),
};

/** How a viewer of the tables proves to be one: docs/decisions/0013-viewer-tokens.md */
const Viewer = z.union([
  z.strictObject({ secret: Secret, ...TokenRules }),
  z.strictObject({ jwksUrl: z.url(), ...TokenRules }),
]);
export type Viewer = z.infer<typeof Viewer>;

/**
 * True or false for every component, or the components that this viewer may see; on a platform,
 * and of which connected organization. `masks` is what is kept back of people: any of `names`,
 * `emails`, `phones`, `addresses`.
 */
export type Permission =
  | boolean
  | { components?: string[]; organization?: string | undefined; masks?: string[]; anybody?: true };

/** What anybody may see without signing in: docs/decisions/0059-least-data.md */
const PublicTables = z.strictObject({
  components: z.array(z.enum(COMPONENTS)).min(1),
  /** What is kept back of people; everything, unless the owner says otherwise. */
  masks: Masks.default([...MASKS]),
  /** On a platform: the connected organization that is shown. */
  organization: z.string().min(1).max(100).optional(),
});

/** Decides who may see the organization's data; it reads the request, never its body. */
export type Authorize = (request: Request) => Permission | Promise<Permission>;

/** What `connect.config.ts` may say. */
export const ConnectConfig = z.strictObject({
  /** Pages that may embed: exact origins, or `https://*.example.org` for every subdomain. */
  origins: z.array(Origin).default([]),
  /** Forms by name; `<connect-donate form="gala">` names one, and without a name `default`. */
  forms: z.record(z.string().min(1).max(100), Form).default({ default: {} }),
  /** Campaigns whose sum any allowed page may show, besides those that a form gives to. */
  campaigns: z.array(z.union([Id, z.strictObject({ id: Id, organization: Id })])).default([]),
  viewer: Viewer.optional(),
  publicTables: PublicTables.optional(),
  authorize: z.custom<Authorize>((hook) => typeof hook === 'function').optional(),
  /** Longest life of what a page gets; never longer than the session behind it. */
  sessionSeconds: z
    .int()
    .min(MIN_SESSION_SECONDS)
    .max(SESSION_LIFETIME_SECONDS)
    .default(SESSION_LIFETIME_SECONDS),
  /** A form's upstream session is renewed when so much of its life is left. */
  renewBeforeSeconds: z
    .int()
    .min(0)
    .max(SESSION_LIFETIME_SECONDS - MIN_SESSION_SECONDS)
    .default(RENEW_BEFORE_SECONDS),
  limits: LimitsConfig,
  /** When a browser has to work before a gift is tried: docs/decisions/0047-card-testing.md */
  guard: GuardConfig,
  /** This server acts for many organizations: docs/decisions/0020-platform-mode.md */
  platform: PlatformConfig.optional(),
  /** Told of every event that the API sends to `/webhooks`, once. */
  onEvent: z.custom<OnEvent>((hook) => typeof hook === 'function').optional(),
  /** Where several processes remember together what they have handled. */
  handledEvents: z
    .custom<HandledEvents>((value) => typeof (value as HandledEvents)?.take === 'function')
    .optional(),
});
export type ConnectConfig = z.input<typeof ConnectConfig>;

/** Types the default export of `connect.config.ts`. */
export const defineConfig = (config: ConnectConfig): ConnectConfig => config;

/** Everything that `createConnectServer` needs: the same, and what the process knows. */
export const ConnectServerConfig = ConnectConfig.extend({
  /** `{base_url}/api/v1` of the Connect API, as this server reaches it. */
  apiBase: z.url({ protocol: /^https?$/ }),
  /** The same as browsers reach it, where that differs. */
  publicApiBase: z.url({ protocol: /^https?$/ }).optional(),
  /**
   * The credential: an API key. Never leaves this process except to `apiBase`. A platform has
   * none: it acts with what each organization has approved.
   */
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be one word of printable characters.')
    .optional(),
  /** Signs what pages get. */
  sessionSecret: Secret,
  /** What the API signs its notices with; two while one replaces the other. */
  webhookSecrets: z.array(WebhookSecret).default([]),
  /** Path under which the host mounts this server without removing it, such as `/connect`. */
  basePath: z
    .string()
    .regex(/^\/(?:[^?#]*[^/?#])?$/, 'must start with / and not end with it.')
    .default('/'),
  scripts: z.custom<Scripts>((value) => typeof (value as Scripts)?.find === 'function').optional(),
  log: z.custom<Log>((value) => typeof (value as Log)?.info === 'function').optional(),
  /** Web-standard fetch, or a faster one. */
  fetch: z
    .custom<(url: string, init: RequestInit) => Promise<Response>>((f) => typeof f === 'function')
    .optional(),
  /** The visitor's address; without it there is no limit per address. */
  clientIp: z
    .custom<(request: Request, env: unknown) => string | undefined>((f) => typeof f === 'function')
    .optional(),
  /** The clock; replaced in tests. */
  now: z.custom<() => number>((f) => typeof f === 'function').optional(),
})
  .refine(
    ({ viewer, sessionSecret }) =>
      !(viewer && 'secret' in viewer && viewer.secret === sessionSecret),
    {
      path: ['viewer', 'secret'],
      error: 'must differ from sessionSecret: else every visitor could pass for a viewer.',
    },
  )
  .refine(({ apiKey, platform }) => apiKey ?? platform, {
    path: ['apiKey'],
    error: 'is required, unless "platform" is set.',
  });
export type ConnectServerConfig = z.input<typeof ConnectServerConfig>;
export type ResolvedConfig = z.output<typeof ConnectServerConfig>;
