import { frameAncestors } from '@connect-embed/contract/site-origin';
import { contentSecurityPolicy } from '../page/content-security-policy.ts';
import { pageHeaders } from '../page/headers.ts';

/**
 * Security headers of the hosted donation page. It can run our script and Stripe's, show Stripe's
 * frames and nothing else, and it is not cached.
 *
 * @param stripeScriptUrl URL of Stripe.js
 * @param sites origins that may frame the page: docs/decisions/0023-hosted-page.md
 * @param referrer the `Referer` header of the request
 */
export function hostedHeaders(
  stripeScriptUrl: string,
  sites: readonly string[],
  referrer?: string,
): Record<string, string> {
  const policy = contentSecurityPolicy({
    style: "'self'",
    stripeScriptUrl,
    frameAncestors: frameAncestors(sites, referrer),
  });
  // X-Frame-Options cannot name origins, so with allowed sites it is omitted: older browsers would
  // block them as well.
  return { ...pageHeaders(policy), ...(sites.length === 0 && { 'X-Frame-Options': 'DENY' }) };
}
