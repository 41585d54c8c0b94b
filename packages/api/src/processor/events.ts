import { ConnectError, invalidRequest } from '@connect-embed/contract';
import { validate } from '@connect-embed/contract/hono';
import type { ProcessorConfig } from '../config.ts';
import { StripeEvent, type EventWith } from './stripe-event.ts';
import type { Client } from './client.ts';

/** How far a signature's time may be from ours, to either side. */
const SIGNATURE_TOLERANCE_SECONDS = 300;

/** What the processor tells by itself. */
export const events = ({ stripe }: Client, { webhookSecret }: ProcessorConfig) => ({
  /**
   * Reads an event that the processor sent, once its signature has been checked.
   *
   * @throws {ConnectError} `invalid_request` naming `Stripe-Signature`, or the field of the event
   */
  async readEvent(body: string, signature: string): Promise<EventWith<object>> {
    // `stripe` checks only that a signature is not too old.
    if (!(signedAt(signature) <= Date.now() / 1000 + SIGNATURE_TOLERANCE_SECONDS)) {
      throw invalidRequest('Stripe-Signature', 'is missing, malformed or from the future.');
    }
    try {
      await stripe.webhooks.signature!.verifyHeaderAsync(
        body,
        signature,
        webhookSecret,
        SIGNATURE_TOLERANCE_SECONDS,
      );
    } catch (cause) {
      const problem = 'does not match the body, or is too old.';
      throw new ConnectError('invalid_request', `Stripe-Signature: ${problem}`, { cause });
    }
    return validate(StripeEvent, parse(body), 'body');
  },
});

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new ConnectError('invalid_request', 'body: is not valid JSON.', { cause });
  }
}

/**
 * The time that a signature covers, in seconds. Of several, `stripe` verifies the last: they are refused,
 * so that the time that is checked here is the one that is verified.
 *
 * @returns NaN where there is not exactly one
 */
function signedAt(signature: string): number {
  const times = signature.split(',').filter((part) => part.split('=')[0]?.trim() === 't');
  return times.length === 1 ? Number(/^t=(\d{1,12})$/.exec(times[0]!)?.[1]) : Number.NaN;
}
