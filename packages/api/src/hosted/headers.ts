/** Where Stripe's own script asks and shows things, beside the place that it comes from. */
const STRIPE_API_ORIGIN = 'https://api.stripe.com';
const STRIPE_FRAME_ORIGINS = 'https://*.js.stripe.com https://hooks.stripe.com';

/**
 * What the hosted page is sent with: it runs our script and the card processor's, shows the
 * processor's frames, and nothing else; no cache keeps it.
 *
 * @param scriptUrl of the processor
 * @param sites origins that may frame it, and no page else: docs/decisions/0053-hosted-page-in-frames.md
 */
export function hostedHeaders(
  scriptUrl: string,
  sites: readonly string[] = [],
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
      `frame-ancestors ${sites.length > 0 ? sites.join(' ') : "'none'"}`,
    ].join('; '),
    // It cannot name sites, and browsers that know it alone would shut out the ones that may.
    ...(sites.length === 0 && { 'X-Frame-Options': 'DENY' }),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Strict-Transport-Security': 'max-age=15552000',
    'Cache-Control': 'no-store',
  };
}
