import type { LiveEndReason } from '@connect-embed/contract';
import { isAfter, writePosition, type Position } from './position.ts';

/** A reader who is behind by more is let go: whoever returns goes on where it was. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** How soon a browser's own reader of such streams should come back; ours waits as it sees fit. */
const RETRY_MS = 2_000;

const encoder = new TextEncoder();

/** One connection of a page, as server-sent events (HTML Standard, 9.2). */
export class LiveStream {
  readonly body: ReadableStream<Uint8Array>;
  /** All up to here has been told. */
  position: Position | undefined;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #closed: (() => void) | undefined;
  #expiry: ReturnType<typeof setTimeout>;

  /** @param closed nobody reads any more, or there is nothing left to say; called once */
  constructor(expiresAt: Date, closed: () => void) {
    this.#closed = closed;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        cancel: () => this.#close(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }),
    );
    const left = expiresAt.getTime() - Date.now();
    this.#expiry = setTimeout(() => this.end('expired'), Math.max(0, left)).unref();
  }

  get isOpen() {
    return this.#closed !== undefined;
  }

  /** Begins. One that goes on names no position yet: what it missed comes now. */
  open(resumed: boolean, at: Position) {
    this.#write(`retry: ${RETRY_MS}\n${resumed ? '' : idOf(at)}${eventOf('open', { resumed })}`);
  }

  /** Tells of a change, unless it has been told. @param text JSON */
  tell(kind: string, text: string, at: Position) {
    if (this.position && !isAfter(at, this.position)) return;
    this.#write(`${idOf(at)}event: ${kind}\ndata: ${text}\n\n`);
  }

  /** Everything before has been told. */
  reach(at: Position) {
    if (!this.position || isAfter(at, this.position)) this.position = at;
  }

  /** Too much has happened to tell. */
  reset(at: Position) {
    this.#write(`${idOf(at)}${eventOf('reset', {})}`);
  }

  /** A sign of life, which also says where to go on. */
  beat() {
    if (this.position) this.#write(`${idOf(this.position)}${eventOf('beat', {})}`);
  }

  end(reason: LiveEndReason) {
    if (!this.#closed) return;
    this.#write(eventOf('end', { reason }));
    this.#finish();
  }

  #write(text: string) {
    if (!this.#closed) return;
    this.#controller.enqueue(encoder.encode(text));
    if ((this.#controller.desiredSize ?? 0) <= 0) this.#finish();
  }

  #finish() {
    if (!this.#closed) return;
    this.#close();
    this.#controller.close();
  }

  #close() {
    clearTimeout(this.#expiry);
    this.#closed?.();
    this.#closed = undefined;
  }
}

const idOf = (at: Position) => `id: ${writePosition(at)}\n`;
const eventOf = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
