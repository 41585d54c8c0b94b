import type { EmbedForm } from '@connect-embed/contract';
import type { CaptchaConfig } from '@connect-embed/server/pages';

/** Origins of Stripe's API and frames, in addition to the origin of its script. */
const STRIPE_API_ORIGIN = 'https://api.stripe.com';
const STRIPE_FRAME_ORIGINS = 'https://*.js.stripe.com https://hooks.stripe.com';

/** Origins of the CAPTCHA providers, for scripts and frames: docs/donation-form.md */
const CAPTCHA_ORIGINS: Record<CaptchaConfig['provider'], string> = {
  turnstile: 'https://challenges.cloudflare.com',
  hcaptcha: 'https://hcaptcha.com https://*.hcaptcha.com',
};

/**
 * Security headers of a giving page: the same as of the hosted page
 * (`packages/donor-pages/src/hosted-form/headers.ts`), and no site may frame it.
 *
 * @param nonce of the style sheet in the page
 * @param form the form that the page shows, if any
 * @param captcha the CAPTCHA that donations may need, if any
 */
export function givingPageHeaders(
  nonce: string,
  form?: EmbedForm,
  captcha?: CaptchaConfig,
): Record<string, string> {
  const stripe = form ? new URL(form.stripe_js_url).origin : '';
  const check = captcha ? CAPTCHA_ORIGINS[captcha.provider] : '';
  const hcaptcha = captcha?.provider === 'hcaptcha' ? check : '';
  const formPolicy = [
    ['script-src', "'self'", stripe, check],
    ['connect-src', "'self'", stripe, STRIPE_API_ORIGIN, hcaptcha],
    ['frame-src', stripe, STRIPE_FRAME_ORIGINS, check],
  ];
  const policy = [
    ['default-src', "'none'"],
    ...(form ? formPolicy : []),
    ['form-action', "'none'"],
    ['style-src', `'nonce-${nonce}'`, hcaptcha],
    ['img-src', "'self'", 'data:'],
    ['base-uri', "'none'"],
    ['frame-ancestors', "'none'"],
  ];
  return {
    'Content-Security-Policy': policy
      .map((directive) => directive.filter(Boolean).join(' '))
      .join('; '),
    'X-Frame-Options': 'DENY',
    // Google Pay opens a window and waits for its message.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    // The address can contain what Stripe appends after a payment on a bank's site.
    'Referrer-Policy': 'strict-origin',
    // The page contains no data of the visitor. With `no-store`, “Back” would lose a half-filled form.
    'Cache-Control': 'no-cache, private',
    Vary: 'Accept-Language',
  };
}
