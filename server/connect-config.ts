import {
  COMPONENTS,
  DonationTermsInput,
  ImpactTexts,
  Masks,
  MASKS,
  Prefill,
  SESSION_LIFETIME_SECONDS,
  type ClientFetch,
} from '@connect-embed/contract';
import type { Compressors } from '@connect-embed/contract/hono';
import { listSecrets } from '@connect-embed/contract/secrets';
import { isWildcardOrigin, sharedDomainProblem } from '@connect-embed/contract/site-origin';
import { z } from 'zod';
import { GuardConfig } from './guard/donation-guard.ts';
import { LimitsConfig } from './guard/rate-limits.ts';
import { silentLog, type Log } from './log.ts';
import type { OnRequest } from './handled-request.ts';
import { PlatformConfig } from './platform/platform-config.ts';
import { isWebhookSecret, type HandledEvents, type OnEvent } from './routes/webhook-events.ts';
import type { Scripts } from './scripts/script-source.ts';
import type { Bytes, CompressedVersions } from './cache/shared-body.ts';

/** In characters: HS256 requires a key at least as long as its digest (RFC 7518, 3.2). */
export const MIN_SECRET_LENGTH = 32;

/** A shorter session would expire while the donor fills in the form. */
const MIN_SESSION_SECONDS = 60;

const Secret = z
  .string()
  .min(MIN_SECRET_LENGTH, `must be at least ${MIN_SECRET_LENGTH} characters long.`);

/** Several secrets are accepted during a rotation; the first is the newest. */
const SecretsConfig = z.union([Secret, z.tuple([Secret], Secret).readonly()]);

export const WebhookSecret = z.string().refine(isWebhookSecret, 'must be a whsec_… secret.');

/**
 * An origin exactly as browsers send it, or `https://*.example.org` for every subdomain. A path, a
 * final slash or another `*` would never match. A wildcard must not allow the websites of others, such as
 * `https://*.github.io`: docs/decisions/0098-allowed-sites.md
 */
export const Origin = z
  .string()
  .refine((text) => {
    if (text.includes('*')) return isWildcardOrigin(text);
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
  }, 'must be an origin as browsers send it, such as https://www.example.org, or https://*.example.org for every subdomain (no path, no final slash).')
  .refine((text) => sharedDomainProblem(text) === undefined, {
    error: ({ input }) => sharedDomainProblem(String(input)),
  });

export const HttpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL.' });

const HttpUrlWithoutSlash = HttpUrl.transform((url) => url.replace(/\/+$/, ''));

export const ApiKey = z
  .string({ error: 'is required. Create one with: connect-embed keys create' })
  .regex(/^[\x21-\x7e]+$/, 'must be one word of printable characters.');

export const BasePath = z
  .string()
  .regex(/^\/(?:[^?#]*[^/?#])?$/, 'must start with / and not end with it.')
  .default('/');

/** A function of the host, or a replacement for one. */
const hook = <Hook>() => z.custom<Hook>((value) => typeof value === 'function');

const Id = z.string().min(1).max(100);

/** Terms of one named form, what its amounts achieve, and values that are prefilled in it. */
const Form = DonationTermsInput.extend({
  prefill: Prefill.optional(),
  impact_texts: ImpactTexts.optional(),
  /** On a platform: the connected organization that receives the donations. */
  organization: Id.optional(),
});

const TokenRules = {
  /** The required `aud` claim of the token. */
  audience: z.string().min(1).optional(),
  /** The required `iss` claim of the token. */
  issuer: z.string().min(1).optional(),
};

/** How viewer tokens of the tables are verified: docs/decisions/0013-component-sessions.md */
const Viewer = z.union([
  z.strictObject({ secret: SecretsConfig, ...TokenRules }),
  z.strictObject({ jwksUrl: z.url(), ...TokenRules }),
]);
export type Viewer = z.infer<typeof Viewer>;

/**
 * The data that a viewer may see. A boolean applies to every component; `components` lists the
 * allowed ones; `organization` is the connected organization on a platform; `masks` are the
 * personal fields that are hidden: any of `names`, `emails`, `phones`, `addresses`.
 */
export type Permission =
  | boolean
  | { components?: string[]; organization?: string | undefined; masks?: string[]; anybody?: true };

/** Tables that are visible without signing in: docs/decisions/0059-field-masking.md */
const PublicTables = z.strictObject({
  components: z.array(z.enum(COMPONENTS)).min(1),
  /** The personal fields that are hidden; all of them by default. */
  masks: Masks.default([...MASKS]),
  /** On a platform: the connected organization whose data is shown. */
  organization: Id.optional(),
});

/** Decides who may see the organization's data. Gets a copy of the request. */
type Authorize = (request: Request) => Permission | Promise<Permission>;

const isEventStore = (value: unknown) =>
  (['claim', 'release'] as const).every(
    (method) => typeof (value as Partial<HandledEvents> | undefined)?.[method] === 'function',
  );

/** The schema of `connect.config.ts`. */
export const ConnectConfig = z.strictObject({
  /** Origins that may embed: exact, or `https://*.example.org` for every subdomain. */
  origins: z.array(Origin).default([]),
  /** Forms by name: `<connect-donate form="gala">` selects one; without a name it is `default`. */
  forms: z.record(z.string().min(1).max(100), Form).default({ default: {} }),
  /** Campaigns whose progress any allowed page may show, in addition to the campaigns of the forms. */
  campaigns: z.array(z.union([Id, z.strictObject({ id: Id, organization: Id })])).default([]),
  viewer: Viewer.optional(),
  publicTables: PublicTables.optional(),
  authorize: hook<Authorize>().optional(),
  /** Longest lifetime of a page's session token; never longer than the API's session behind it. */
  sessionSeconds: z
    .int()
    .min(MIN_SESSION_SECONDS)
    .max(SESSION_LIFETIME_SECONDS)
    .default(SESSION_LIFETIME_SECONDS),
  /**
   * A form's API session is renewed when this much of its lifetime is left. That leaves time for retries before
   * donors see an expired session.
   */
  renewBeforeSeconds: z
    .int()
    .min(0)
    .max(SESSION_LIFETIME_SECONDS - MIN_SESSION_SECONDS)
    .default(300),
  /**
   * Whether `GET /forms` lists the live forms, from which a plugin for a site builder lets
   * people choose: docs/decisions/0102-wordpress-and-site-requests.md
   */
  listForms: z.boolean().default(true),
  limits: LimitsConfig,
  /**
   * When a browser must solve a proof of work before a donation attempt:
   * docs/decisions/0047-card-testing.md
   */
  guard: GuardConfig,
  /**
   * Platform mode, for a server that acts for many organizations:
   * docs/decisions/0020-platform-mode.md
   */
  platform: PlatformConfig.optional(),
  /** Called once for every webhook event that `/webhooks` receives. */
  onEvent: hook<OnEvent>().optional(),
  /** A shared store of handled event ids, for several processes. */
  handledEvents: z
    .custom<HandledEvents>(isEventStore, 'must have the methods claim and release.')
    .optional(),
});
export type ConnectConfig = z.input<typeof ConnectConfig>;

/** Types the default export of `connect.config.ts`. */
export const defineConfig = (config: ConnectConfig): ConnectConfig => config;

/** Options of `createConnectServer`: `connect.config.ts` and the settings of the process. */
export const ConnectServerConfig = ConnectConfig.extend({
  /** `{base_url}/api/v1` of the Connect API, as reachable from this server. */
  apiBase: HttpUrl,
  /** The same URL as reachable from browsers, if it differs. */
  publicApiBase: HttpUrl.optional(),
  /**
   * URL of the sandbox, if the API uses one. Forms load its script instead of Stripe's. By default
   * `http://localhost:4300` if the API is on the same machine.
   */
  sandboxUrl: HttpUrlWithoutSlash.optional(),
  /**
   * The credential: an API key. It is sent to `apiBase` only. A platform has none and uses the
   * OAuth tokens of each connected organization.
   */
  apiKey: ApiKey.optional(),
  /** Signs session tokens of pages; during a rotation several, the newest first. */
  sessionSecret: SecretsConfig,
  /** Secrets of the API's webhook signatures; two during a rotation. */
  webhookSecrets: z.array(WebhookSecret).default([]),
  /** Path under which the host mounts this server without stripping it, such as `/connect`. */
  basePath: BasePath,
  /** The release of this server, which `GET /healthz` returns. */
  version: z.string().optional(),
  /**
   * The public address of this server, with which visitors reach it. Giving pages can be used at this
   * address, and name it in links: docs/decisions/0100-giving-pages.md
   */
  publicUrl: HttpUrlWithoutSlash.optional(),
  /** Functions that compress sessions, by content coding. Without this option, sessions are compressed with gzip. */
  compressors: z.custom<Compressors>((value) => typeof value === 'object').optional(),
  /**
   * Compresses a body that many visitors share, as well as possible. Without this option, such bodies are
   * not compressed, for a proxy to do it.
   */
  compressShared: hook<(body: Bytes) => Promise<CompressedVersions>>().optional(),
  scripts: z.custom<Scripts>((value) => typeof (value as Scripts)?.find === 'function').optional(),
  /** By default nothing is logged. */
  log: z.custom<Log>((value) => typeof (value as Log)?.info === 'function').default(silentLog),
  /** Called after each request, for example to count requests. */
  onRequest: hook<OnRequest>().optional(),
  /** Web-standard `fetch`, or a replacement. */
  fetch: hook<ClientFetch>().default((): ClientFetch => (url, init) => fetch(url, init)),
  /** Returns the visitor's IP address. Without it there is no limit per address. */
  clientIp: hook<(request: Request, env: unknown) => string | undefined>().optional(),
  /** The clock; replaced in tests. */
  now: hook<() => number>().default(() => Date.now),
})
  .refine(
    ({ viewer, sessionSecret }) =>
      !(
        viewer &&
        'secret' in viewer &&
        listSecrets(viewer.secret).some((secret) => listSecrets(sessionSecret).includes(secret))
      ),
    {
      path: ['viewer', 'secret'],
      error: 'must differ from sessionSecret. Otherwise every visitor could act as a viewer.',
    },
  )
  .refine(({ apiKey, platform }) => apiKey ?? platform, {
    path: ['apiKey'],
    error: 'is required, unless "platform" is set.',
  });
export type ConnectServerConfig = z.input<typeof ConnectServerConfig>;
export type ResolvedConfig = z.output<typeof ConnectServerConfig>;
