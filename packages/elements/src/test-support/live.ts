import type { RecordedRequest, FakeServer } from './server.ts';

/** Streams of `GET /live` that a test writes by hand. */
export class FakeStreams {
  /** Each that was opened, in order. */
  readonly opened: FakeStream[] = [];
  /** Answers in place of a stream, while it returns something. */
  override: (() => Response) | undefined;

  constructor(server: FakeServer) {
    server.on('/api/v1/live', (asked) => {
      const response = this.override?.();
      if (response) return response;
      const stream = new FakeStream(asked);
      this.opened.push(stream);
      return stream.answer;
    });
  }

  get latest(): FakeStream {
    return this.opened.at(-1)!;
  }
}

class FakeStream {
  readonly answer: Response;
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
    this.answer = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  /** What the API says first. */
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

  /** Ends as a server does. */
  end(reason: string) {
    this.write(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    this.#controller.close();
    this.closed = true;
  }

  /** Breaks off, as a line does. */
  disconnect() {
    this.#controller.error(new TypeError('network error'));
    this.closed = true;
  }
}
