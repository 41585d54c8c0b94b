import type { Component, Donation, Donor, LiveEndReason, Payout } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import { parseErrorResponse, type TransportOptions } from '@connect-embed/contract/transport';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { RequestOptions } from '../call.ts';

/** A message of the stream. `id` is the position after it, for `lastEventId`; it may be empty. */
export type LiveMessage = { id: string } & (
  | { event: 'donation'; data: Donation }
  | { event: 'donor'; data: Donor }
  | { event: 'payout'; data: Payout }
  | { event: 'open'; data: { resumed: boolean } }
  | { event: 'reset' | 'beat'; data: object }
  | { event: 'end'; data: { reason: LiveEndReason } }
);

export interface LiveOptions {
  /** By default all components of the session. */
  components?: readonly Component[];
  /** The last `id` of an earlier stream: this one continues without gaps or repetitions. */
  lastEventId?: string;
}

export const liveMethods = ({
  apiBase,
  token: defaultToken,
  fetch: send = fetch,
}: Pick<TransportOptions, 'apiBase' | 'token' | 'fetch'>) => ({
  /**
   * Streams changes of donations, donors and payouts until the API ends the stream or the loop is
   * left. The token must be that of a component session.
   *
   * @throws {ConnectError} the API's own, or `unavailable` when the connection is lost: open
   *   another stream with `lastEventId`
   */
  async *stream(
    { components, lastEventId }: LiveOptions = {},
    { signal, token = defaultToken }: Pick<RequestOptions, 'signal' | 'token'> = {},
  ): AsyncGenerator<LiveMessage, void, undefined> {
    const query = components ? `?components=${components.join(',')}` : '';
    const abort = new AbortController();
    try {
      const response = await send(`${apiBase.replace(/\/+$/, '')}/live${query}`, {
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${token}`,
          ...(lastEventId && { 'last-event-id': lastEventId }),
        },
        signal: signal ? AbortSignal.any([signal, abort.signal]) : abort.signal,
      });
      if (!response.ok || !response.body) throw await parseErrorResponse(response);
      yield* readMessages(response.body, lastEventId);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ConnectError) throw error;
      throw new ConnectError('unavailable', 'The live stream was interrupted.', { cause: error });
    } finally {
      abort.abort(); // Closes the connection if the caller has left the loop.
    }
  },
});

async function* readMessages(body: ReadableStream<Uint8Array>, id = '') {
  const reader = body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    id = value.id ?? id;
    yield { id, event: value.event, data: JSON.parse(value.data) as unknown } as LiveMessage;
  }
}
