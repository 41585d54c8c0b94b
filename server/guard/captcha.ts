import { ConnectError, type ClientFetch } from '@connect-embed/contract';
import { z } from 'zod';

const VERIFY_URL = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
} as const;

const TIMEOUT_MS = 5000;
const RETRY_SECONDS = 5;

/**
 * Configures Turnstile or hCaptcha as the CAPTCHA in place of our proof of work. From the first
 * challenge on, the provider's script runs on the page, so the provider learns of the visitor.
 */
export const CaptchaConfig = z.strictObject({
  provider: z.enum(['turnstile', 'hcaptcha']),
  siteKey: z.string().min(1),
  secret: z.string().min(1),
});
export type CaptchaConfig = z.infer<typeof CaptchaConfig>;

const VerifyResponse = z.object({ success: z.boolean() });

/**
 * Verifies a CAPTCHA token with the provider, which accepts each token once.
 *
 * @throws {ConnectError} `unavailable` if the provider does not respond
 */
export async function verifyCaptcha(
  { provider, secret }: CaptchaConfig,
  { token, address, fetch }: { token: string; address: string | undefined; fetch: ClientFetch },
): Promise<boolean> {
  const form = { secret, response: token, ...(address && { remoteip: address }) };
  try {
    const response = await fetch(VERIFY_URL[provider], {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return VerifyResponse.parse(await response.json()).success;
  } catch (cause) {
    throw new ConnectError('unavailable', 'The CAPTCHA provider did not respond.', {
      retryAfterSeconds: RETRY_SECONDS,
      cause,
    });
  }
}
