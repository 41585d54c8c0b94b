import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

const setSecureHeaders = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  strictTransportSecurity: 'max-age=15552000',
  xFrameOptions: 'DENY',
  overwrite: false, // Error pages have a style sheet and therefore a policy of their own.
});

/**
 * Middleware that sets the security headers of the API's responses. They contain personal data and
 * tokens, and must not be cached, framed or interpreted as another type. A header that the handler sets itself
 * takes precedence.
 */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await setSecureHeaders(c, next);
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
};

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
