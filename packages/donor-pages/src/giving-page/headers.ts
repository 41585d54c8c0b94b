import type { EmbedForm } from '@connect-embed/contract';
import type { CaptchaConfig } from '@connect-embed/server/pages';
import { contentSecurityPolicy } from '../page/content-security-policy.ts';

/**
 * Security headers of a giving page, which no site may frame.
 *
 * @param nonce of the style sheet in the page
 * @param form the form that the page shows, if any
 * @param captcha the CAPTCHA that donations may need, if any
 */
export const givingPageHeaders = (
  nonce: string,
  form?: EmbedForm,
  captcha?: CaptchaConfig,
): Record<string, string> => ({
  'Content-Security-Policy': contentSecurityPolicy({
    style: `'nonce-${nonce}'`,
    stripeScriptUrl: form?.stripe_js_url,
    logoUrl: form?.organization.logo_url,
    captcha,
  }),
  'X-Frame-Options': 'DENY',
  // Google Pay opens a window and waits for its message.
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  // The address can contain what Stripe appends after a payment on a bank's site.
  'Referrer-Policy': 'strict-origin',
  // The page contains no data of the visitor. With `no-store`, “Back” would lose a half-filled form.
  'Cache-Control': 'no-cache, private',
  Vary: 'Accept-Language',
});
