/** An error in the page's code, such as a missing option; thrown or rejected as in Stripe.js. */
export class IntegrationError extends Error {
  override readonly name = 'IntegrationError';
}

type Handler = (event: unknown) => void;

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

  protected dispatch(name: string, data: unknown) {
    const event = { elementType: this.#type, ...(data as object | undefined) };
    for (const handler of this.#handlers.get(name) ?? []) handler(event);
  }
}

const CONTAINER_CLASS = 'StripeElement';

/**
 * Finds the node that `mount` was called with.
 *
 * @throws {IntegrationError} if Stripe's elements cannot be mounted there
 */
function mountTarget(target: string | HTMLElement): Element {
  const container = typeof target === 'string' ? document.querySelector(target) : target;
  if (!(container instanceof Element)) throw mountTargetError(target);
  if (container.getRootNode() !== document) {
    throw new IntegrationError(
      'Elements cannot be mounted in a ShadowRoot. Please mount in the Light DOM.',
    );
  }
  container.classList.add(CONTAINER_CLASS);
  return container;
}

const releaseTarget = (container: Element | null) => container?.classList.remove(CONTAINER_CLASS);

const mountTargetError = (target: unknown) =>
  new IntegrationError(
    typeof target === 'string'
      ? `The selector you specified (${target}) applies to no DOM elements that are currently on the page. Make sure the element exists on the page before calling mount().`
      : 'Invalid DOM element. Call mount() with a valid DOM element or selector.',
  );
