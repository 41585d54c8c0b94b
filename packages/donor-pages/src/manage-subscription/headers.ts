import { contentSecurityPolicy } from '../page/content-security-policy.ts';
import { pageHeaders } from '../page/headers.ts';

const FORMS_TO_US = { style: "'self'", formAction: "'self'" } as const;
const NO_FRAME = { 'X-Frame-Options': 'DENY' };

/** Response headers of the pages for donors' subscriptions. Scripts run on the card page only. */
export const PAGE_HEADERS = { ...pageHeaders(contentSecurityPolicy(FORMS_TO_US)), ...NO_FRAME };

/**
 * Returns the response headers of the card page, which runs Stripe's script.
 *
 * @param stripeScriptUrl URL of Stripe's browser script
 */
export const cardHeaders = (stripeScriptUrl: string): Record<string, string> => ({
  ...pageHeaders(contentSecurityPolicy({ ...FORMS_TO_US, stripeScriptUrl })),
  ...NO_FRAME,
});
