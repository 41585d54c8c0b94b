import type { ConnectError } from '@connect-embed/contract';
import Stripe from 'stripe';

/** Maximum number of idempotency keys that are tried before Stripe counts as unavailable. */
const MAX_KEYS = 5;

/**
 * Creates an object at Stripe once, even if Stripe's own failure is stored under the idempotency
 * key.
 *
 * Stripe stores even a response with status 500 for 24 hours and replays it for requests with the
 * same key. A header marks the replay. No request under that key has then returned an object, so the
 * next key is tried. All keys are derived from the first key, so a repeated request, in any process,
 * uses the same keys and finds the same object: docs/decisions/0009-idempotency.md
 *
 * @param operation creates the object with `callStripe`, under the given key
 * @param shouldUseNewKey returns true for the replayed statuses after which a new key is tried
 */
export async function retryWithNewKey<Result>(
  key: string,
  operation: (key: string, isFirst: boolean) => Promise<Result>,
  shouldUseNewKey: (status: number) => boolean = (status) => status >= 500,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation(attempt === 1 ? key : `${key} ${attempt}`, attempt === 1);
    } catch (error) {
      if (attempt === MAX_KEYS || !isReplayedFailure(error, shouldUseNewKey)) throw error;
    }
  }
}

function isReplayedFailure(error: unknown, shouldUseNewKey: (status: number) => boolean): boolean {
  const { cause } = error as Partial<ConnectError>;
  if (!(cause instanceof Stripe.errors.StripeError)) return false;
  return (
    shouldUseNewKey(cause.statusCode ?? 0) && cause.headers?.['idempotent-replayed'] === 'true'
  );
}
