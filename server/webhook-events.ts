import { invalidRequest, WebhookEvent, type EventType } from '@connect-embed/contract';
import { validate } from '@connect-embed/contract/hono';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

/** A type that a later API may add reaches the hook as well. */
const ReceivedEvent = WebhookEvent.extend({ type: z.string() });
/** What the hook gets: what happened, and where to read it. */
export type ReceivedEvent = Omit<z.infer<typeof ReceivedEvent>, 'type'> & {
  type: EventType | (string & Record<never, never>);
};

/** Called once for each event; when it throws, the API sends the event again later. */
export type OnEvent = (event: ReceivedEvent) => void | Promise<void>;

/**
 * Remembers which events were handled. The default remembers in this process; several processes,
 * or one that restarts, hand in theirs (a table with the id as key will do).
 *
 * A process can end between taking an event and having handled it. So that such an event is not lost, keep
 * with each when it was taken and whether `finish` was told of it: until then `take` answers `under way`,
 * and after some minutes it gives the event to the next who asks.
 */
export interface HandledEvents {
  /**
   * Takes an event for this process.
   *
   * @returns false when it has been handled; `under way` when somebody else has it, so that the API sends
   *   it again
   */
  take(id: string): Taken | Promise<Taken>;
  /**
   * Told when an event that was taken has been handled. Without it, taken means handled. Where it fails the
   * event is not handled again for that: it is logged, and the API is told that all is well.
   */
  finish?(id: string): void | Promise<void>;
  /** Gives an event back that could not be handled. */
  giveBack(id: string): void | Promise<void>;
}
type Taken = boolean | 'under way';

/** Retries of an event end after about three days; nobody sends so many in that time. */
const MAX_REMEMBERED = 100_000;

/** Remembers in memory, and forgets the oldest first. */
export function inMemoryHandledEvents(limit = MAX_REMEMBERED): HandledEvents {
  const ids = new Set<string>();
  return {
    take(id) {
      if (ids.has(id)) return false;
      ids.add(id);
      for (const oldest of ids) {
        if (ids.size <= limit) break;
        ids.delete(oldest);
      }
      return true;
    },
    giveBack: (id) => void ids.delete(id),
  };
}

/** Whether a text is a signing secret, as `POST /webhooks` tells it. */
export function isWebhookSecret(text: string): boolean {
  try {
    return text.startsWith('whsec_') && Boolean(new Webhook(text));
  } catch {
    return false;
  }
}

/**
 * Reads a notice whose signature is good for one of the secrets.
 *
 * The header carries a signature for each secret of the sender, two for a day after a rotation; we
 * may know two secrets as well, while the new one is being put in place.
 *
 * @throws {ConnectError} `invalid_request` naming `webhook-signature` for whatever the sender did not sign, or
 *   signed more than five minutes ago; naming the field for a body that is signed and is no event
 */
export function verifyWebhookEvent(
  secrets: readonly string[],
  body: string,
  headers: Record<string, string>,
): ReceivedEvent {
  if (!secrets.some((secret) => hasValidSignature(secret, body, headers))) {
    throw invalidRequest('webhook-signature', 'does not match the body, or is too old.');
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
    throw invalidRequest('body', 'is not valid JSON.');
  }
}

/**
 * Hands each event to the hook once, also when the same one comes twice at the same time.
 *
 * @param onUnfinished told of an event that was handled, which the store could not be told
 */
export function handleOnce(
  onEvent: OnEvent,
  handledEvents: HandledEvents,
  onUnfinished: (event: ReceivedEvent, error: unknown) => void,
): OnEvent {
  const inFlight = new Map<string, Promise<void>>();
  const handle = async (event: ReceivedEvent) => {
    const taken = await handledEvents.take(event.id);
    if (taken === 'under way') throw new Error('another process is dealing with it');
    if (!taken) return;
    try {
      await onEvent(event);
    } catch (error) {
      await handledEvents.giveBack(event.id);
      throw error;
    }
    try {
      await handledEvents.finish?.(event.id);
    } catch (error) {
      onUnfinished(event, error); // Given back, it would be handled twice.
    }
  };
  return (event) => {
    // Whoever comes second must not be told "done" before the first is.
    const running = inFlight.get(event.id);
    if (running) return running;
    const task = handle(event).finally(() => inFlight.delete(event.id));
    inFlight.set(event.id, task);
    return task;
  };
}
