import type { RecordedRequest, FakeServer } from './server.ts';

/** Simulates the API's `GET /live` event streams, whose events a test writes. */
export class FakeStreams {
  /** The streams in the order in which they were opened. */
  readonly opened: FakeStream[] = [];
  /** If set, and while it returns a response, requests get that response instead of a stream. */
  override: (() => Response) | undefined;

  constructor(server: FakeServer) {
    server.on('/api/v1/live', (request) => {
      const response = this.override?.();
      if (response) return response;
      const stream = new FakeStream(request);
      this.opened.push(stream);
      return stream.response;
    });
  }

  get latest(): FakeStream {
    return this.opened.at(-1)!;
  }
}

class FakeStream {
  readonly response: Response;
  readonly lastEventId: string | null;
  readonly components: string | null;
  readonly authorization: string | null;
  closed = false;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #position: number;

  constructor({ headers, query, signal }: RecordedRequest) {
    this.lastEventId = headers.get('last-event-id');
    this.components = query.get('components');
    this.authorization = headers.get('authorization');
    this.#position = Number(this.lastEventId ?? 0);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      cancel: () => void (this.closed = true),
    });
    signal?.addEventListener('abort', () => {
      if (!this.closed) this.#controller.error(signal.reason);
      this.closed = true;
    });
    this.response = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  /** Sends the first event of a stream. */
  open(resumed = false) {
    this.send('open', { resumed });
  }

  send(event: string, data: object) {
    this.#position += 1;
    this.write(`id: ${this.#position}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  write(text: string) {
    this.#controller.enqueue(new TextEncoder().encode(text));
  }

  /** Ends the stream as the API does, with an `end` event. */
  end(reason: string) {
    this.write(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    this.#controller.close();
    this.closed = true;
  }

  /** Breaks the stream like a lost connection. */
  disconnect() {
    this.#controller.error(new TypeError('network error'));
    this.closed = true;
  }
}
