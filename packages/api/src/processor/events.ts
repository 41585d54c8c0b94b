import { ConnectError, invalidRequest } from '@connect-embed/contract';
import type Stripe from 'stripe';
import type { ProcessorConfig } from '../config.ts';
import type { Client } from './client.ts';

/** How far a signature's time may be from ours, to either side. */
const SIGNATURE_TOLERANCE_SECONDS = 300;

/** What the processor tells by itself. */
export const events = ({ stripe }: Client, { webhookSecret }: ProcessorConfig) => ({
  /**
   * Reads an event that the processor sent, once its signature has been checked.
   *
   * @throws {ConnectError} `invalid_request` naming `Stripe-Signature`
   */
  async readEvent(body: string, signature: string): Promise<Stripe.Event> {
    // stripe checks only that a signature is not too old.
    const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]);
    if (!(signedAt <= Date.now() / 1000 + SIGNATURE_TOLERANCE_SECONDS)) {
      throw invalidRequest('Stripe-Signature', 'is missing, malformed or from the future.');
    }
    try {
      return await stripe.webhooks.constructEventAsync(
        body,
        signature,
        webhookSecret,
        SIGNATURE_TOLERANCE_SECONDS,
      );
    } catch (cause) {
      const problem = 'does not match the body, or is too old.';
      throw new ConnectError('invalid_request', `Stripe-Signature: ${problem}`, { cause });
    }
  },
});
