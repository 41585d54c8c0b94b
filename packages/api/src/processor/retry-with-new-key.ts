import type { ConnectError } from '@connect-embed/contract';
import Stripe from 'stripe';

/** Who has failed this often for one gift is down. */
const MAX_KEYS = 5;

/**
 * Makes something once under a key, also where the processor's own failure sticks to the key.
 *
 * Stripe keeps an answer of 500 for its key for a day, like any other: asked again, it fails again.
 * It says when an answer is such a repetition, and then nobody was ever given anything under that
 * key, so the next one is tried. The keys follow from the first: whoever repeats the request, in
 * whatever process, goes the same way to the same object. docs/decisions/0052-kept-failures.md
 *
 * @param operation makes it by `call`, under the key that it is given
 * @param shouldUseNewKey which answers are passed, of those that are repetitions
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
