import { ConnectError } from '@connect-embed/contract';
import { z } from 'zod';

const VERIFY_URL = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
} as const;

const TIMEOUT_MS = 5000;
const RETRY_SECONDS = 5;

/**
 * Somebody else's check in place of our own work: their script is on the page, and they learn of
 * the visitor, from the moment when a check is asked for.
 */
export const CaptchaConfig = z.strictObject({
  provider: z.enum(['turnstile', 'hcaptcha']),
  siteKey: z.string().min(1),
  secret: z.string().min(1),
});
export type CaptchaConfig = z.infer<typeof CaptchaConfig>;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const VerifyResponse = z.object({ success: z.boolean() });

/**
 * Asks the provider whether a token is good. It takes each token once, so no proof is used twice.
 *
 * @throws {ConnectError} `unavailable` when the provider gives no answer
 */
export async function verifyCaptcha(
  { provider, secret }: CaptchaConfig,
  { token, address, fetch }: { token: string; address: string | undefined; fetch: Fetch },
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
    throw new ConnectError('unavailable', 'The check for people does not answer.', {
      retryAfterSeconds: RETRY_SECONDS,
      cause,
    });
  }
}
