import { MountableElement } from './mountable-element.ts';
import type { BillingName } from './method-form.ts';
import type { PaymentFrame } from './payment-frame.ts';

/** Options of the element; the sandbox ignores those that are not listed. */
export type PaymentOptions = {
  paymentMethodOrder?: string[];
  fields?: { billingDetails?: Visibility | { name?: Visibility; email?: Visibility } };
};

type Visibility = 'auto' | 'never';

/** What a mandate needs to know of the donor, less what the page sends when it confirms. */
export function askedDetails({ fields }: PaymentOptions): BillingName[] {
  const { billingDetails = 'auto' } = fields ?? {};
  const all = ['name', 'email'] as const;
  return all.filter((name) =>
    typeof billingDetails === 'string'
      ? billingDetails === 'auto'
      : billingDetails[name] !== 'never',
  );
}

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

  focus() {
    this.#frame.focus();
    return this;
  }
}
