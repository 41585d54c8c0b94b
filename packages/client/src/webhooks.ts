import type { EventType, WebhookEvent as AnyEvent } from '@connect-embed/contract';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export { WebhookVerificationError } from 'standardwebhooks';

/** A webhook event. `type` narrows `related_object.object`: `donation.created` is about a donation. */
export type WebhookEvent = {
  [Type in EventType]: Omit<AnyEvent, 'type' | 'related_object'> & {
    type: Type;
    related_object: Omit<AnyEvent['related_object'], 'object'> & { object: ObjectOf<Type> };
  };
}[EventType];

type ObjectOf<Type> = Type extends `${infer Name}.${string}` ? Name : never;

/** Headers of a received request: those of Node, of Fetch, or an object. */
type ReceivedHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>;

/** The headers that are part of a signature (Standard Webhooks 1.0.0). */
const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Verifies the signature and age of a webhook event, and parses it.
 *
 * @param body the unchanged text of the request; parsed and rewritten JSON has another signature
 * @param headers in any case: API gateways write `Webhook-Id`
 * @param secret `whsec_…`; during a rotation a list of the old one and the new one
 * @throws {WebhookVerificationError} if no secret matches or can be read, or the event is older than 5 minutes
 */
export function verifyWebhook(
  body: string,
  headers: ReceivedHeaders,
  secret: string | readonly string[],
): WebhookEvent {
  const signed = Object.fromEntries(SIGNED.map((name) => [name, readHeader(headers, name)]));
  let failure = new WebhookVerificationError('No secret to verify the signature with');
  for (const candidate of [secret].flat()) {
    try {
      return readSecret(candidate).verify(body, signed) as WebhookEvent;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** Reads a secret. White space around it is ignored: files of secrets end with a line break. */
function readSecret(secret: string): Webhook {
  try {
    return new Webhook(secret.trim());
  } catch {
    // Without the cause, which could repeat characters of the secret.
    throw new WebhookVerificationError('The webhook secret must be "whsec_" and Base64 characters');
  }
}

function readHeader(headers: ReceivedHeaders, name: (typeof SIGNED)[number]): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return [value].flat()[0] ?? '';
}
