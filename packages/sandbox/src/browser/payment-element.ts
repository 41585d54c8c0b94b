import { MountableElement } from './mountable-element.ts';
import type { PaymentFrame } from './payment-frame.ts';

/** Simulates the Payment Element of Stripe.js. */
export class PaymentElement extends MountableElement {
  readonly #frame: PaymentFrame;

  constructor(
    frame: (notify: (name: string, data: unknown) => void) => PaymentFrame,
    onDestroyed: () => void,
  ) {
    super('payment', onDestroyed);
    this.#frame = frame((name, data) => this.dispatch(name, data));
  }

  protected override attach(container: Element) {
    this.#frame.attach(container);
  }

  protected override detach() {
    this.#frame.detach();
  }

  /** Has no effect: the sandbox has one layout and one payment method. */
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

  /** Has no effect: the only payment method is always expanded. */
  collapse() {
    return this;
  }
}
