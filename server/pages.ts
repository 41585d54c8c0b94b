/** What pages for donors use of the server that they are added to: `@connect-embed/server/pages`. */
import type { Hono } from 'hono';
import type { ResolvedConfig } from './connect-config.ts';
import type { Deps, Env } from './deps.ts';

export type { Env };
export { cachedByKey, cachedByOrganization } from './cache/cached-resource.ts';
export { missingResourceCheck } from './cache/missing-resources.ts';
export { etagMatches, type Bytes } from './cache/shared-body.ts';
export type { CaptchaConfig } from './guard/captcha.ts';
export { parseFormName } from './platform/form-name.ts';
export type { OpenEmbedSession } from './sessions/embed-sessions.ts';

/** What pages use of the dependencies of the server. */
export type PageDeps = Pick<Deps, 'allowedOrigins' | 'dashboardForms' | 'sessions' | 'upstream'> & {
  config: PageConfig;
};
type PageConfig = Pick<
  ResolvedConfig,
  'apiBase' | 'fetch' | 'guard' | 'log' | 'now' | 'platform' | 'publicUrl'
>;

/** Creates the routes of pages, which `createConnectServer` adds to its own. */
export type CreatePages = (deps: PageDeps) => Hono<Env>;
