import { ConnectError } from '@connect-embed/contract/error';
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import { send } from '../shared/http.ts';

/**
 * If no byte arrives in this time, the stream is given up. Some proxies buffer a response until it
 * ends.
 */
const FIRST_BYTE_TIMEOUT_MS = 10_000;
/** Maximum time without data in an open stream: the time of three missed heartbeats. */
const IDLE_TIMEOUT_MS = 45_000;

interface StreamOptions {
  token: string;
  signal: AbortSignal;
  /** Id of the last event of an earlier stream, sent as `Last-Event-ID`; empty for a new stream. */
  lastEventId: string;
  /** Called for every event, after `onEventId` if the event has an id. */
  onEvent(event: EventSourceMessage): void;
  onEventId(lastEventId: string): void;
}

/**
 * Reads server-sent events until the stream ends. The browser's own `EventSource` cannot send an
 * `Authorization` header, and a token must not be part of a URL.
 *
 * @throws {ConnectError} the error of the API, or `unavailable` when the connection fails or no data
 *   arrives in time
 */
export async function readEventStream(
  url: string,
  { token, signal, lastEventId, ...callbacks }: StreamOptions,
) {
  const idleAbort = new AbortController();
  let timer = setTimeout(() => idleAbort.abort(), FIRST_BYTE_TIMEOUT_MS);
  try {
    const { body } = await send(url, {
      token,
      headers: {
        accept: 'text/event-stream',
        ...(lastEventId && { 'last-event-id': lastEventId }),
      },
      cache: 'no-store',
      signal: AbortSignal.any([signal, idleAbort.signal]),
    });
    const activityMonitor = new TransformStream<string, string>({
      transform(text, controller) {
        clearTimeout(timer);
        timer = setTimeout(() => idleAbort.abort(), IDLE_TIMEOUT_MS);
        controller.enqueue(text);
      },
    });
    const events = body!
      .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
      .pipeThrough(activityMonitor)
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    for (;;) {
      const { done, value } = await events.read();
      if (done) return;
      if (value.id) callbacks.onEventId(value.id);
      callbacks.onEvent(value);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConnectError) throw error;
    throw new ConnectError('unavailable', 'The live stream was interrupted.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
