import type { LiveEndReason } from '@connect-embed/contract';
import { isAfter, formatPosition, type LogPosition } from './log-position.ts';

/**
 * Maximum number of bytes that a client has not read yet. A client with more is disconnected and
 * can resume from its last event.
 */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;
/** Reconnection time for a browser's `EventSource`. Our own client has its own delays. */
const RETRY_MS = 2_000;

const encoder = new TextEncoder();

/** One live connection of a page, as server-sent events (HTML Standard, 9.2). */
export class LiveStream {
  readonly body: ReadableStream<Uint8Array>;
  /** All changes up to this position have been sent. */
  position: LogPosition | undefined;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #onClose: (() => void) | undefined;
  #expiry: ReturnType<typeof setTimeout>;

  /** @param onClose called once, when the client disconnects or the stream ends */
  constructor(expiresAt: Date, onClose: () => void) {
    this.#onClose = onClose;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        cancel: () => this.#close(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_BUFFERED_BYTES }),
    );
    const remainingMs = expiresAt.getTime() - Date.now();
    this.#expiry = setTimeout(() => this.end('expired'), Math.max(0, remainingMs)).unref();
  }

  get isOpen() {
    return this.#onClose !== undefined;
  }

  /** Sends the first event. A resumed stream gets no position yet, because the missed changes follow. */
  open(resumed: boolean, position: LogPosition) {
    this.#write(
      `retry: ${RETRY_MS}\n${resumed ? '' : idLine(position)}${formatEvent('open', { resumed })}`,
    );
  }

  /**
   * Sends a change unless it was sent before.
   *
   * @param resourceJson the resource as JSON
   */
  sendChange(kind: string, resourceJson: string, position: LogPosition) {
    if (this.position && !isAfter(position, this.position)) return;
    this.#write(`${idLine(position)}event: ${kind}\ndata: ${resourceJson}\n\n`);
  }

  /** Sets the position up to which all changes have been sent. The position never moves back. */
  advance(position: LogPosition) {
    if (!this.position || isAfter(position, this.position)) this.position = position;
  }

  /**
   * Sends the event `reset`, on which the client reloads its lists, because there were too many
   * changes.
   */
  reset(position: LogPosition) {
    this.#write(`${idLine(position)}${formatEvent('reset', {})}`);
  }

  /** Sends a heartbeat with the current position. */
  sendHeartbeat() {
    if (this.position) this.#write(`${idLine(this.position)}${formatEvent('beat', {})}`);
  }

  end(reason: LiveEndReason) {
    if (!this.#onClose) return;
    this.#write(formatEvent('end', { reason }));
    this.#finish();
  }

  #write(text: string) {
    if (!this.#onClose) return;
    this.#controller.enqueue(encoder.encode(text));
    if ((this.#controller.desiredSize ?? 0) <= 0) this.#finish();
  }

  #finish() {
    if (!this.#onClose) return;
    this.#close();
    this.#controller.close();
  }

  #close() {
    clearTimeout(this.#expiry);
    this.#onClose?.();
    this.#onClose = undefined;
  }
}

const idLine = (position: LogPosition) => `id: ${formatPosition(position)}\n`;
const formatEvent = (name: string, data: object) =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
