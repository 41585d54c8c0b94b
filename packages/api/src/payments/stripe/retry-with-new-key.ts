import type { ConnectError } from '@connect-embed/contract';
import Stripe from 'stripe';

/** After this many failed keys Stripe is considered unavailable. */
const MAX_KEYS = 5;

/**
 * Creates an object at Stripe once, even if Stripe's own failure is stored under the idempotency
 * key.
 *
 * Stripe stores a response of status 500 for its key for 24 hours and replays it. A header marks
 * the replay. No request under that key has then returned an object, so the next key is tried. The
 * keys are derived from the first one, so a repeated request, in any process, uses the same keys
 * and finds the same object: docs/decisions/0009-idempotency.md
 *
 * @param operation creates the object with `call`, under the given key
 * @param shouldUseNewKey which replayed statuses lead to a new key
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
