import { IntegrationError } from './integration-error.ts';
import type { PaymentFrame } from './payment-frame.ts';

type Handler = (event: unknown) => void;

const CONTAINER_CLASS = 'StripeElement';

/** What `elements.create('payment')` gives to the page. */
export class PaymentElement {
  readonly #frame: PaymentFrame;
  readonly #handlers = new Map<string, Set<Handler>>();
  readonly #forget: () => void;
  #destroyed = false;

  constructor(
    frame: (notify: (name: string, data: unknown) => void) => PaymentFrame,
    destroyed: () => void,
  ) {
    this.#frame = frame((name, data) => this.#dispatch(name, data));
    this.#forget = destroyed;
  }

  /** @throws {IntegrationError} where Stripe's fields refuse to be, at once */
  mount(target: string | HTMLElement) {
    if (this.#destroyed) {
      throw new IntegrationError(
        'This Element has already been destroyed. Please create a new one.',
      );
    }
    const container = typeof target === 'string' ? document.querySelector(target) : target;
    if (!(container instanceof Element)) throw noSuchPlace(target);
    if (container.getRootNode() !== document) {
      throw new IntegrationError(
        'Elements cannot be mounted in a ShadowRoot. Please mount in the Light DOM.',
      );
    }
    container.classList.add(CONTAINER_CLASS);
    this.#frame.attach(container);
    return this;
  }

  unmount() {
    this.#frame.container?.classList.remove(CONTAINER_CLASS);
    this.#frame.detach();
    return this;
  }

  destroy() {
    this.unmount();
    this.#destroyed = true;
    this.#handlers.clear();
    this.#forget();
  }

  on(name: string, handler: Handler) {
    const handlers = this.#handlers.get(name) ?? new Set();
    this.#handlers.set(name, handlers.add(handler));
    return this;
  }

  once(name: string, handler: Handler) {
    const first = (event: unknown) => {
      this.off(name, first);
      handler(event);
    };
    return this.on(name, first);
  }

  off(name: string, handler?: Handler) {
    if (handler) this.#handlers.get(name)?.delete(handler);
    else this.#handlers.delete(name);
    return this;
  }

  /** Options change nothing here: there is one layout, and one method. */
  update() {
    return this;
  }

  focus() {
    this.#frame.focus();
    return this;
  }

  blur() {
    this.#frame.post('blur');
    return this;
  }

  clear() {
    this.#frame.post('clear');
    return this;
  }

  /** There is one method, and it stays open. */
  collapse() {
    return this;
  }

  #dispatch(name: string, data: unknown) {
    const event = { elementType: 'payment', ...(data as object | undefined) };
    for (const handler of [...(this.#handlers.get(name) ?? [])]) handler(event);
  }
}

const noSuchPlace = (target: unknown) =>
  new IntegrationError(
    typeof target === 'string'
      ? `The selector you specified (${target}) applies to no DOM elements that are currently on the page. Make sure the element exists on the page before calling mount().`
      : 'Invalid DOM element. Call mount() with a valid DOM element or selector.',
  );
