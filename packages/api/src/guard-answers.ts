import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { secureHeaders } from 'hono/secure-headers';
import { carry } from './answer-headers.ts';
import type { Env } from './env.ts';

const rules = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  xFrameOptions: 'DENY',
  strictTransportSecurity: 'max-age=15552000',
  xDownloadOptions: false,
  xDnsPrefetchControl: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  originAgentCluster: false,
  referrerPolicy: 'no-referrer',
});

/** What the library makes of them is the same for every answer, so it is asked once. */
const guarded = new Hono().use(rules).get('/', (c) => c.body(null));
const GUARDS = {
  ...Object.fromEntries((await guarded.request('/')).headers),
  'cache-control': 'no-store',
};

/**
 * Answers carry people's data and tokens: no cache keeps them, no page frames them, no browser
 * guesses what they are.
 */
export const guardAnswers = createMiddleware<Env>((c, next) => {
  carry(c, GUARDS);
  return next();
});
