import { frameAncestors } from '@connect-embed/contract/site-origin';

/** Origins of Stripe's API and frames, in addition to the origin of its script. */
const STRIPE_API_ORIGIN = 'https://api.stripe.com';
const STRIPE_FRAME_ORIGINS = 'https://*.js.stripe.com https://hooks.stripe.com';

/**
 * Security headers of the hosted donation page. It can run our script and Stripe's, show Stripe's
 * frames and nothing else, and it is not cached.
 *
 * @param scriptUrl URL of Stripe.js
 * @param sites origins that may frame the page: docs/decisions/0023-hosted-page.md
 * @param referrer the `Referer` header of the request
 */
export function hostedHeaders(
  scriptUrl: string,
  sites: readonly string[] = [],
  referrer?: string,
): Record<string, string> {
  const scriptOrigin = new URL(scriptUrl).origin;
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      `script-src 'self' ${scriptOrigin}`,
      `connect-src 'self' ${scriptOrigin} ${STRIPE_API_ORIGIN}`,
      `frame-src ${scriptOrigin} ${STRIPE_FRAME_ORIGINS}`,
      "style-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      `frame-ancestors ${frameAncestors(sites, referrer)}`,
    ].join('; '),
    // X-Frame-Options cannot name origins, so with allowed sites it is omitted: older browsers
    // would block them as well.
    ...(sites.length === 0 && { 'X-Frame-Options': 'DENY' }),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Strict-Transport-Security': 'max-age=15552000',
    'Cache-Control': 'no-store',
  };
}
