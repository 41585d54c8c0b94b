/** Where Stripe's own script asks and shows things, beside the place that it comes from. */
const STRIPE_ASKS = 'https://api.stripe.com';
const STRIPE_FRAMES = 'https://*.js.stripe.com https://hooks.stripe.com';

/**
 * What the hosted page is sent with: it runs our script and the card processor's, shows the
 * processor's frames, and nothing else; no page frames it, no cache keeps it.
 *
 * @param scriptUrl of the processor
 */
export function hostedHeaders(scriptUrl: string): Record<string, string> {
  const processor = new URL(scriptUrl).origin;
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      `script-src 'self' ${processor}`,
      `connect-src 'self' ${processor} ${STRIPE_ASKS}`,
      `frame-src ${processor} ${STRIPE_FRAMES}`,
      "style-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Strict-Transport-Security': 'max-age=15552000',
    'Cache-Control': 'no-store',
  };
}
