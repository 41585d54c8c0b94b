import { IntegrationError } from './integration-error.ts';
import { releaseTarget, mountTarget } from './mount-target.ts';

export type Handler = (event: unknown) => void;

/**
 * Base class of the elements that simulate those of Stripe.js: mount, listen for events, destroy.
 */
export abstract class MountableElement {
  readonly #type: string;
  readonly #onDestroyed: () => void;
  readonly #handlers = new Map<string, Set<Handler>>();
  #container: Element | null = null;
  #isDestroyed = false;

  /** @param type Stripe's name of the element in its events */
  constructor(type: string, onDestroyed: () => void) {
    this.#type = type;
    this.#onDestroyed = onDestroyed;
  }

  protected abstract attach(container: Element): void;
  protected abstract detach(container: Element | null): void;

  /** @throws {IntegrationError} if Stripe's elements cannot be mounted there */
  mount(target: string | HTMLElement) {
    if (this.#isDestroyed) {
      throw new IntegrationError(
        'This Element has already been destroyed. Please create a new one.',
      );
    }
    this.#container = mountTarget(target);
    this.attach(this.#container);
    return this;
  }

  unmount() {
    releaseTarget(this.#container);
    this.detach(this.#container);
    this.#container = null;
    return this;
  }

  destroy() {
    this.unmount();
    this.#isDestroyed = true;
    this.#handlers.clear();
    this.#onDestroyed();
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

  protected dispatch(name: string, data: unknown) {
    const event = { elementType: this.#type, ...(data as object | undefined) };
    for (const handler of [...(this.#handlers.get(name) ?? [])]) handler(event);
  }
}
