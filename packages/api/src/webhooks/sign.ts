import { Webhook } from 'standardwebhooks';

/** What a receiver verifies (Standard Webhooks 1.0.0). */
export interface SignedHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/**
 * Signs one attempt at a notice, with every secret that is good at this moment.
 *
 * The id stays the same on every attempt, so that a receiver can tell a repetition; the time is
 * the attempt's own, so that nobody can replay an old one.
 *
 * @param body never empty: libraries differ in how they sign nothing
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
