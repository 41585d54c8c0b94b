import type { LiveEndReason } from '@connect-embed/contract';
import { isAfter, formatPosition, type LogPosition } from './log-position.ts';

/** A reader who is behind by more is let go: whoever returns goes on where it was. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;
/** How soon a browser's own reader of such streams should come back; ours waits as it sees fit. */
const RETRY_MS = 2_000;

const encoder = new TextEncoder();

/** One connection of a page, as server-sent events (HTML Standard, 9.2). */
export class LiveStream {
  readonly body: ReadableStream<Uint8Array>;
  /** All up to here has been told. */
  position: LogPosition | undefined;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #closed: (() => void) | undefined;
  #expiry: ReturnType<typeof setTimeout>;

  /** @param onClose nobody reads any more, or there is nothing left to say; called once */
  constructor(expiresAt: Date, onClose: () => void) {
    this.#closed = onClose;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        cancel: () => this.#close(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_BUFFERED_BYTES }),
    );
    const left = expiresAt.getTime() - Date.now();
    this.#expiry = setTimeout(() => this.end('expired'), Math.max(0, left)).unref();
  }

  get isOpen() {
    return this.#closed !== undefined;
  }

  /** Begins. One that goes on names no position yet: what it missed comes now. */
  open(resumed: boolean, at: LogPosition) {
    this.#write(
      `retry: ${RETRY_MS}\n${resumed ? '' : idLine(at)}${formatEvent('open', { resumed })}`,
    );
  }

  /** Tells of a change, unless it has been told. @param text JSON */
  sendChange(kind: string, text: string, at: LogPosition) {
    if (this.position && !isAfter(at, this.position)) return;
    this.#write(`${idLine(at)}event: ${kind}\ndata: ${text}\n\n`);
  }

  /** Everything before has been told. */
  advance(at: LogPosition) {
    if (!this.position || isAfter(at, this.position)) this.position = at;
  }

  /** Too much has happened to tell. */
  reset(at: LogPosition) {
    this.#write(`${idLine(at)}${formatEvent('reset', {})}`);
  }

  /** A sign of life, which also says where to go on. */
  beat() {
    if (this.position) this.#write(`${idLine(this.position)}${formatEvent('beat', {})}`);
  }

  end(reason: LiveEndReason) {
    if (!this.#closed) return;
    this.#write(formatEvent('end', { reason }));
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

const idLine = (at: LogPosition) => `id: ${formatPosition(at)}\n`;
const formatEvent = (name: string, data: object) =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
