/**
 * What every page is sent with: nothing runs in it, nothing frames it, no cache keeps it.
 *
 * No `form-action`: browsers hold the whole way back to an app against it, and after consent that
 * way leads to other people's addresses. `same-origin`, not `no-referrer`, or browsers would say
 * `Origin: null` in our own forms.
 */
export const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};
