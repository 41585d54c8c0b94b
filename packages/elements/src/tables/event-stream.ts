import { parseErrorResponse } from '@connect-embed/contract/client';
import { ConnectError } from '@connect-embed/contract/error';
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';

/** Proxies that wait for the end of an answer before they pass it on show nothing: then we do not wait either. */
const FIRST_BYTE_TIMEOUT_MS = 10_000;
/** Three signs of life that did not come. */
const SILENCE_TIMEOUT_MS = 45_000;

export interface StreamOptions {
  token: string;
  signal: AbortSignal;
  /** Where an earlier stream ended. */
  lastEventId: string;
  /** Every event, and after which it is that the stream goes on. */
  onEvent(event: EventSourceMessage): void;
  onEventId(lastEventId: string): void;
}

/**
 * Reads server-sent events until they end. The browser's own `EventSource` cannot send a token, and
 * a token has no place in an address.
 *
 * @throws {ConnectError} what the API says, or `unavailable` when it cannot be reached, or falls silent
 */
export async function readEventStream(
  url: string,
  { token, signal, lastEventId, ...callbacks }: StreamOptions,
) {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), FIRST_BYTE_TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
        ...(lastEventId && { 'last-event-id': lastEventId }),
      },
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || !response.body) throw await parseErrorResponse(response);
    const activityMonitor = new TransformStream<string, string>({
      transform(text, controller) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_TIMEOUT_MS);
        controller.enqueue(text);
      },
    });
    const events = response.body
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
    throw new ConnectError('unavailable', 'The live stream broke off.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
