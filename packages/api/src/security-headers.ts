import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { secureHeaders } from 'hono/secure-headers';
import { setResponseHeaders } from './response-headers.ts';
import type { Env } from './env.ts';

const secureHeadersMiddleware = secureHeaders({
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
const sampleApp = new Hono().use(secureHeadersMiddleware).get('/', (c) => c.body(null));
const SECURITY_HEADERS = {
  ...Object.fromEntries((await sampleApp.request('/')).headers),
  'cache-control': 'no-store',
};

/**
 * Answers carry people's data and tokens: no cache keeps them, no page frames them, no browser
 * guesses what they are.
 */
export const securityHeaders = createMiddleware<Env>((c, next) => {
  setResponseHeaders(c, SECURITY_HEADERS);
  return next();
});
