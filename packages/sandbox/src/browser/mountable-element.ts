export type Handler = (event: unknown) => void;

/** Listeners of one Stripe element, as `on`, `once` and `off` keep them. */
export class ElementEvents {
  readonly #type: string;
  readonly #handlers = new Map<string, Set<Handler>>();

  constructor(type: string) {
    this.#type = type;
  }

  on(name: string, handler: Handler) {
    const handlers = this.#handlers.get(name) ?? new Set();
    this.#handlers.set(name, handlers.add(handler));
  }

  once(name: string, handler: Handler) {
    const first = (event: unknown) => {
      this.off(name, first);
      handler(event);
    };
    this.on(name, first);
  }

  off(name: string, handler?: Handler) {
    if (handler) this.#handlers.get(name)?.delete(handler);
    else this.#handlers.delete(name);
  }

  clear() {
    this.#handlers.clear();
  }

  dispatch(name: string, data: unknown) {
    const event = { elementType: this.#type, ...(data as object | undefined) };
    for (const handler of [...(this.#handlers.get(name) ?? [])]) handler(event);
  }
}
