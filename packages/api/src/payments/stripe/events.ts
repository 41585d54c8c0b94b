import { invalidRequest } from '@connect-embed/contract';
import { validate } from '@connect-embed/contract/hono';
import { listSecrets, type Secrets } from '@connect-embed/contract/secrets';
import { StripeNotification } from './stripe-event.ts';
import type { Client } from './client.ts';

/** Maximum difference between the timestamp of a signature and our clock, in either direction. */
const SIGNATURE_TOLERANCE_SECONDS = 300;

/** Part of the processor client: webhook events that Stripe sends. */
export const events = ({ stripe, config }: Client) => ({
  /**
   * Verifies the signature of a webhook request and parses what all its events have in common.
   *
   * @param secret the signing secrets of the webhook endpoint; by default that of the platform
   * @throws {ConnectError} `invalid_request` naming `Stripe-Signature`, or the field of the event
   */
  async readEvent(
    body: string,
    signature: string,
    secret: Secrets = config.platform?.webhookSecret ?? '',
  ): Promise<StripeNotification> {
    // The `stripe` package rejects old signatures, but accepts timestamps in the future.
    if (!(signedAt(signature) <= Date.now() / 1000 + SIGNATURE_TOLERANCE_SECONDS)) {
      throw invalidRequest(
        'Stripe-Signature',
        'is missing, malformed or has a timestamp in the future.',
        { code: 'signature_invalid' },
      );
    }
    const verify = (each: string) =>
      stripe.webhooks.signature!.verifyHeaderAsync(
        body,
        signature,
        each,
        SIGNATURE_TOLERANCE_SECONDS,
      );
    await Promise.any(listSecrets(secret).map(verify)).catch(
      ({ errors: [cause] }: AggregateError) => {
        const problem = 'does not match the body, or has expired.';
        throw invalidRequest('Stripe-Signature', problem, { code: 'signature_invalid', cause });
      },
    );
    return validate(StripeNotification, parse(body), 'body');
  },
});

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw invalidRequest('body', 'is not valid JSON.', { code: 'body_not_json', cause });
  }
}

/**
 * Returns the timestamp of a signature, in seconds.
 *
 * A header with several timestamps is rejected: the `stripe` package verifies the last timestamp,
 * and this function might check a different one.
 *
 * @returns NaN if the header does not contain exactly one timestamp
 */
function signedAt(signature: string): number {
  const timestamps = signature.split(',').filter((part) => part.split('=')[0]?.trim() === 't');
  return timestamps.length === 1 ? Number(/^t=(\d{1,12})$/.exec(timestamps[0]!)?.[1]) : Number.NaN;
}
