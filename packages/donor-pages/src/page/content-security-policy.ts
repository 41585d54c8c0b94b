import type { CaptchaConfig } from '@connect-embed/server/pages';

/** Origins of Stripe's API and frames, in addition to the origin of its script. */
const STRIPE_API = 'https://api.stripe.com';
const STRIPE_FRAMES = 'https://*.js.stripe.com https://hooks.stripe.com';

/** Origins of the CAPTCHA providers, for scripts and frames: docs/donation-form.md */
const CAPTCHA_ORIGINS: Record<CaptchaConfig['provider'], string> = {
  turnstile: 'https://challenges.cloudflare.com',
  hcaptcha: 'https://hcaptcha.com https://*.hcaptcha.com',
};

interface Policy {
  /** Source of the style sheet: `'self'` or its nonce. */
  style: string;
  /** URL of Stripe's script. A page without it runs no script at all. */
  stripeScriptUrl?: string | undefined;
  captcha?: CaptchaConfig | undefined;
  /** URL of the logo that the form shows after a donation. */
  logoUrl?: string | null | undefined;
  formAction?: "'none'" | "'self'";
  frameAncestors?: string;
}

/** Returns the `Content-Security-Policy` of a page for donors: our script and Stripe's, and no inline script. */
export function contentSecurityPolicy({
  style,
  stripeScriptUrl,
  captcha,
  logoUrl,
  formAction = "'none'",
  frameAncestors = "'none'",
}: Policy): string {
  const stripe = stripeScriptUrl && new URL(stripeScriptUrl).origin;
  const check = captcha && CAPTCHA_ORIGINS[captcha.provider];
  const hcaptcha = captcha?.provider === 'hcaptcha' ? check : undefined;
  const scripts = [
    ['script-src', "'self'", stripe, check],
    ['connect-src', "'self'", stripe, STRIPE_API, hcaptcha],
    ['frame-src', stripe, STRIPE_FRAMES, check],
  ];
  const directives = [
    ['default-src', "'none'"],
    ...(stripe ? scripts : []),
    ['style-src', style, hcaptcha],
    ['img-src', "'self'", 'data:', logoUrl && URL.parse(logoUrl)?.origin],
    ['base-uri', "'none'"],
    ['form-action', formAction],
    ['frame-ancestors', frameAncestors],
  ];
  return directives.map((directive) => directive.filter(Boolean).join(' ')).join('; ');
}
