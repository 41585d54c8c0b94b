import { invalidRequest, WebhookEvent, type EventType } from '@connect-embed/contract';
import { validate } from '@connect-embed/contract/hono';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

/** Accepts unknown types too, because a later API version may add some. */
const ReceivedEvent = WebhookEvent.extend({ type: z.string() });
/** The event that the hook receives; the object itself is read from the API. */
export type ReceivedEvent = Omit<z.infer<typeof ReceivedEvent>, 'type'> & {
  type: EventType | (string & Record<never, never>);
};

/** Called once for each event. If it throws, the API retries later. */
export type OnEvent = (event: ReceivedEvent) => void | Promise<void>;

/**
 * Store of handled webhook events, for deduplication. The default is in memory; several processes,
 * or one that restarts, need a shared one (a table with the event id as key).
 *
 * A process can end between `claim` and `finish`. So that its event is not lost, store with each
 * event when it was claimed and whether `finish` was called: until then `claim` returns `in_progress`,
 * and after some minutes it returns true again.
 */
export interface HandledEvents {
  /**
   * Claims an event for this process.
   *
   * @returns true if claimed; false if already handled; `in_progress` if another process has claimed
   * it, and the API must retry
   */
  claim(id: string): Claim | Promise<Claim>;
  /**
   * Called when a claimed event has been handled. Without it, a claimed event counts as handled. If
   * it throws, the event is not handled again: the error is logged and the API gets 204.
   */
  finish?(id: string): void | Promise<void>;
  /** Releases the claim on an event whose handling failed. */
  release(id: string): void | Promise<void>;
}
type Claim = boolean | 'in_progress';

/** Far more than the events of the three days in which the API retries a delivery. */
const MAX_REMEMBERED = 100_000;

/** Evicts the oldest events first. */
export function inMemoryHandledEvents(): HandledEvents {
  const ids = new Set<string>();
  return {
    claim(id) {
      if (ids.has(id)) return false;
      ids.add(id);
      for (const oldest of ids) {
        if (ids.size <= MAX_REMEMBERED) break;
        ids.delete(oldest);
      }
      return true;
    },
    release: (id) => void ids.delete(id),
  };
}

/** Whether a text is a signing secret as returned by `POST /webhooks`. */
export function isWebhookSecret(text: string): boolean {
  try {
    return text.startsWith('whsec_') && Boolean(new Webhook(text));
  } catch {
    return false;
  }
}

/**
 * Verifies the signature of a webhook event (Standard Webhooks 1.0.0) against the secrets and
 * parses it.
 *
 * The header has a signature for each secret of the sender, two for a day after a rotation. We
 * accept two secrets as well, while the new one is being configured.
 *
 * @throws {ConnectError} `invalid_request` naming `webhook-signature` for a body that was not
 * signed by the sender, or signed more than five minutes ago; naming the field for a signed body
 * that is not an event
 */
export function verifyWebhookEvent(
  secrets: readonly string[],
  body: string,
  headers: Record<string, string>,
): ReceivedEvent {
  if (!secrets.some((secret) => hasValidSignature(secret, body, headers))) {
    throw invalidRequest('webhook-signature', 'does not match the body, or has expired.', {
      code: 'signature_invalid',
    });
  }
  return validate(ReceivedEvent, parseJson(body), 'body');
}

function hasValidSignature(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw invalidRequest('body', 'is not valid JSON.', { code: 'body_not_json' });
  }
}

/**
 * Calls the hook once for each event, also for concurrent deliveries of the same event.
 *
 * @param onUnfinished called if an event was handled but the store failed to record it
 */
export function handleOnce(
  onEvent: OnEvent,
  handledEvents: HandledEvents,
  onUnfinished: (event: ReceivedEvent, error: unknown) => void,
): OnEvent {
  const inFlight = new Map<string, Promise<void>>();
  const handle = async (event: ReceivedEvent) => {
    const claimed = await handledEvents.claim(event.id);
    if (claimed === 'in_progress') throw new Error('another process is handling this event');
    if (!claimed) return;
    try {
      await onEvent(event);
    } catch (error) {
      await handledEvents.release(event.id);
      throw error;
    }
    try {
      await handledEvents.finish?.(event.id);
    } catch (error) {
      onUnfinished(event, error); // Not released: the event would be handled twice.
    }
  };
  return (event) => {
    // A concurrent delivery waits for the first and gets the same result.
    const pending = inFlight.get(event.id);
    if (pending) return pending;
    const task = handle(event).finally(() => inFlight.delete(event.id));
    inFlight.set(event.id, task);
    return task;
  };
}
