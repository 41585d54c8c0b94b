/**
 * Response headers of every dashboard page. A page runs no scripts, cannot be framed and is not cached.
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
