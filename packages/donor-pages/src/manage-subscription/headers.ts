import { hostedHeaders } from '../hosted-form/headers.ts';

/**
 * Response headers of the pages for donors' subscriptions. The URL contains a secret token, so it
 * is sent in no referrer and the page is not cached. Scripts run on the card page only.
 */
export const PAGE_HEADERS: Record<string, string> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=15552000',
  'Cache-Control': 'no-store',
};

/**
 * Returns the response headers of the card page, which runs Stripe's script and submits a form to
 * us.
 *
 * @param scriptUrl URL of Stripe's browser script
 */
export function cardHeaders(scriptUrl: string): Record<string, string> {
  const headers = hostedHeaders(scriptUrl);
  const policy = headers['Content-Security-Policy'] ?? '';
  return {
    ...headers,
    'Content-Security-Policy': policy.replace("form-action 'none'", "form-action 'self'"),
  };
}
