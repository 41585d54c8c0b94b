import { ElementEvents, type Handler } from './element-events.ts';
import { IntegrationError } from './integration-error.ts';
import { leaveTarget, mountTarget } from './mount-target.ts';
import type { PaymentFrame } from './payment-frame.ts';

/** What `elements.create('payment')` gives to the page. */
export class PaymentElement {
  readonly #frame: PaymentFrame;
  readonly #events = new ElementEvents('payment');
  readonly #forget: () => void;
  #destroyed = false;

  constructor(
    frame: (notify: (name: string, data: unknown) => void) => PaymentFrame,
    destroyed: () => void,
  ) {
    this.#frame = frame((name, data) => this.#events.dispatch(name, data));
    this.#forget = destroyed;
  }

  /** @throws {IntegrationError} where Stripe's fields refuse to be, at once */
  mount(target: string | HTMLElement) {
    if (this.#destroyed) {
      throw new IntegrationError(
        'This Element has already been destroyed. Please create a new one.',
      );
    }
    this.#frame.attach(mountTarget(target));
    return this;
  }

  unmount() {
    leaveTarget(this.#frame.container);
    this.#frame.detach();
    return this;
  }

  destroy() {
    this.unmount();
    this.#destroyed = true;
    this.#events.clear();
    this.#forget();
  }

  on(name: string, handler: Handler) {
    this.#events.on(name, handler);
    return this;
  }

  once(name: string, handler: Handler) {
    this.#events.once(name, handler);
    return this;
  }

  off(name: string, handler?: Handler) {
    this.#events.off(name, handler);
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
}
