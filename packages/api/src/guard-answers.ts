import { secureHeaders } from 'hono/secure-headers';
import { createMiddleware } from 'hono/factory';
import type { Env } from './app.ts';

const headers = secureHeaders({
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

/**
 * Answers carry people's data and tokens: no cache keeps them, no page frames them, no browser
 * guesses what they are.
 */
export const guardAnswers = createMiddleware<Env>(async (c, next) => {
  await headers(c, next);
  c.res.headers.set('Cache-Control', 'no-store');
});
