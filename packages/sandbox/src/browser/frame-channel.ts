/**
 * A message between a page with the stand-in for Stripe.js and one of its frames. A message with
 * `request` expects a response with the same number in `reply`.
 */
type Message = {
  sandbox: string;
  name: string;
  data?: unknown;
  request?: number;
  reply?: number;
};

type MessageHandler = (name: string, data: unknown) => unknown;

/**
 * Exchanges messages with one window of one origin.
 *
 * Both sides check source, origin and a token of this frame, so that neither a second form on the
 * page nor another frame can interfere.
 */
export class FrameChannel {
  readonly #peer: () => Window | null;
  readonly #origin: string;
  readonly #token: string;
  readonly #receive: MessageHandler;
  readonly #pendingRequests = new Map<number, PromiseWithResolvers<unknown>>();
  #count = 0;

  constructor(peer: () => Window | null, origin: string, token: string, receive: MessageHandler) {
    this.#peer = peer;
    this.#origin = origin;
    this.#token = token;
    this.#receive = receive;
    window.addEventListener('message', this.#listen);
  }

  post(name: string, data?: unknown) {
    this.#send({ sandbox: this.#token, name, data });
  }

  request(name: string, data?: unknown): Promise<unknown> {
    const request = ++this.#count;
    this.#send({ sandbox: this.#token, name, data, request });
    const response = Promise.withResolvers<unknown>();
    this.#pendingRequests.set(request, response);
    return response.promise;
  }

  /** @param reason error with which the pending requests are rejected */
  close(reason?: Error) {
    window.removeEventListener('message', this.#listen);
    for (const response of this.#pendingRequests.values()) response.reject(reason);
    this.#pendingRequests.clear();
  }

  #send(message: Message) {
    // A page with an opaque origin (a file, a sandboxed frame) cannot be addressed by its origin.
    this.#peer()?.postMessage(message, this.#origin === 'null' ? '*' : this.#origin);
  }

  readonly #listen = async (event: MessageEvent) => {
    if (event.source === null || event.source !== this.#peer()) return;
    if (event.origin !== this.#origin) return;
    const message = event.data as Message | null;
    if (message?.sandbox !== this.#token) return;
    if (message.reply !== undefined) {
      this.#pendingRequests.get(message.reply)?.resolve(message.data);
      this.#pendingRequests.delete(message.reply);
      return;
    }
    const data = await this.#receive(message.name, message.data);
    if (message.request === undefined) return;
    this.#send({ sandbox: this.#token, name: message.name, data, reply: message.request });
  };
}

/**
 * Opens a channel from a frame of the sandbox (card fields, authentication) to the page that
 * contains it. The frame's URL has the origin of the page.
 *
 * Any page may embed the frame: the messages contain the state of the fields, never card data.
 */
export function openParentChannel(receive: MessageHandler): FrameChannel {
  const address = new URLSearchParams(location.hash.slice(1));
  const parentOrigin = address.get('parent') ?? 'null';
  return new FrameChannel(() => window.parent, parentOrigin, address.get('token') ?? '', receive);
}
