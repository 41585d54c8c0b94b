/** What pages for donors use of the server that they are added to: `@connect-embed/server/pages`. */
import type { Hono } from 'hono';
import type { Deps, Env } from './env.ts';

export type { Deps, Env };
export { cachedByKey, cachedByOrganization } from './cache/cached-resource.ts';
export { MissingResources } from './cache/missing-resources.ts';
export { etagMatches, type Bytes } from './cache/shared-body.ts';
export type { CaptchaConfig } from './guard/captcha.ts';
export { parseFormName } from './platform/form-name.ts';
export { rejectOtherMethods } from './reject-other-methods.ts';
export type { OpenFormSession } from './sessions/form-sessions.ts';

/** Creates the routes of pages, which `createConnectServer` adds to its own. */
export type Pages = (deps: Deps) => Hono<Env>;
