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

/** The headers of Hono's middleware are the same for every response, so a sample request reads them once. */
const sampleApp = new Hono().use(secureHeadersMiddleware).get('/', (c) => c.body(null));
const SECURITY_HEADERS = {
  ...Object.fromEntries((await sampleApp.request('/')).headers),
  'cache-control': 'no-store',
};

/**
 * Middleware that sets the security headers of the API's responses. They contain personal data and
 * tokens, and must not be cached, framed or interpreted as another type.
 */
export const securityHeaders = createMiddleware<Env>((c, next) => {
  setResponseHeaders(c, SECURITY_HEADERS);
  return next();
});

/**
 * Response headers of dashboard pages. A page runs no scripts, cannot be framed and is not cached. The
 * pages of forms allow our own scripts and the frame of the preview: `pages/script.ts` of the dashboard.
 *
 * There is no `form-action`, because browsers apply it to redirects as well, and the consent form
 * redirects to the app. `Referrer-Policy` is `same-origin`, because with `no-referrer` browsers
 * send `Origin: null` with our own forms.
 */
export const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};
