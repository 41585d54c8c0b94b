/** What goes over: `ask` wants an answer with the same number in `reply`. */
type Message = {
  sandbox: string;
  name: string;
  data?: unknown;
  ask?: number;
  reply?: number;
};

type MessageHandler = (name: string, data: unknown) => unknown;

/**
 * Talks to one window of one origin, and listens to no other.
 *
 * Both sides check source, origin and a token that belongs to this one frame,
 * so that two forms on a page, or a nosy third frame, cannot mix in.
 */
export class FrameChannel {
  readonly #peer: () => Window | null;
  readonly #origin: string;
  readonly #token: string;
  readonly #receive: MessageHandler;
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
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

  ask(name: string, data?: unknown): Promise<unknown> {
    const ask = ++this.#count;
    this.#send({ sandbox: this.#token, name, data, ask });
    const response = Promise.withResolvers<unknown>();
    this.#asked.set(ask, response);
    return response.promise;
  }

  /** @param reason what those are told who still wait for an answer */
  close(reason?: Error) {
    window.removeEventListener('message', this.#listen);
    for (const response of this.#asked.values()) response.reject(reason);
    this.#asked.clear();
  }

  #send(message: Message) {
    // A page without an origin of its own (a file, a sandboxed frame) has no name to post to.
    this.#peer()?.postMessage(message, this.#origin === 'null' ? '*' : this.#origin);
  }

  readonly #listen = async (event: MessageEvent) => {
    if (event.source === null || event.source !== this.#peer()) return;
    if (event.origin !== this.#origin) return;
    const message = event.data as Message | null;
    if (message?.sandbox !== this.#token) return;
    if (message.reply !== undefined) {
      this.#asked.get(message.reply)?.resolve(message.data);
      this.#asked.delete(message.reply);
      return;
    }
    const data = await this.#receive(message.name, message.data);
    if (message.ask === undefined) return;
    this.#send({ sandbox: this.#token, name: message.name, data, reply: message.ask });
  };
}
