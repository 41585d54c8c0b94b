import { MountableElement } from './mountable-element.ts';
import type { PaymentFrame } from './payment-frame.ts';

/** What `elements.create('payment')` gives to the page. */
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
