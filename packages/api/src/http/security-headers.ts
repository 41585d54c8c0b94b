import { createMiddleware } from 'hono/factory';
import { setResponseHeaders } from './response-headers.ts';
import type { Env } from './env.ts';

const SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=15552000',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
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
