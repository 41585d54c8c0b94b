import { Webhook } from 'standardwebhooks';

/** Headers that a receiver verifies (Standard Webhooks 1.0.0). */
export interface SignedHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/**
 * Signs one attempt to deliver an event, with every secret that is currently valid.
 *
 * The id is the same for every attempt, so that a receiver can detect duplicates. The timestamp is the
 * attempt's own, so that an old request cannot be replayed.
 *
 * @param body must not be empty: libraries sign an empty body differently
 */
export function signEvent(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: Date; body: string },
): SignedHeaders {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}
