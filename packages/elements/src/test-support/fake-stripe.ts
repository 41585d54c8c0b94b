import type { PaymentIntent, StripeError } from '@stripe/stripe-js';

export type StripeResult = {
  paymentIntent?: Partial<PaymentIntent>;
  error?: Partial<StripeError>;
};

export const paid = (amount = 5000): StripeResult => ({
  paymentIntent: { id: 'pi_1', status: 'succeeded', amount, currency: 'usd' },
});

export const declined = (decline_code: string): StripeResult => ({
  error: {
    type: 'card_error',
    code: 'card_declined',
    decline_code,
    payment_intent: { id: 'pi_1', status: 'requires_payment_method' } as PaymentIntent,
  },
});

/** `window.Stripe` with one field, for what the form shows; the real script is in `test/e2e`. */
export class FakeStripe {
  complete = true;
  /** Until then a field that is mounted now does not say that it is there. */
  drawn: Promise<void> = Promise.resolve();
  confirm: (clientSecret: string) => StripeResult | Promise<StripeResult> = () => paid();
  retrieve: (clientSecret: string) => StripeResult | Promise<StripeResult> = () => paid();
  readonly confirmed: { clientSecret: string; confirmParams: { return_url: string } }[] = [];
  readonly retrieved: string[] = [];
  readonly updates: Record<string, unknown>[] = [];
  /** The donor fills in the card that is drawn now, or takes something out of it again. */
  fillCard: (complete: boolean) => void = () => {};
  options: Record<string, unknown> = {};
  mounts = 0;
  destroyed = 0;
  /** Wallets of this browser, in the words of the `ready` event. */
  wallets: Record<string, boolean> | undefined;
  /** Answers of the page to clicks on a wallet's button. */
  readonly walletClicks: ('resolved' | 'rejected')[] = [];
  /** What the page told the wallet's sheet after a payment that was not made. */
  walletFailures = 0;
  #walletListeners = new Map<string, (event?: object) => unknown>();

  static #current: FakeStripe | undefined;
  /** `loadStripe` keeps the first one it finds for as long as the page lives. */
  static readonly #script = Object.assign(() => FakeStripe.#current!.#stripe(), {
    version: 'endive',
  });

  constructor() {
    FakeStripe.#current = this;
    Object.assign(window, { Stripe: FakeStripe.#script });
  }

  restore() {
    Reflect.deleteProperty(window, 'Stripe');
  }

  #stripe() {
    return {
      elements: (options: Record<string, unknown>) => {
        this.options = options;
        return {
          update: (change: Record<string, unknown>) => Promise.resolve(this.updates.push(change)),
          submit: () =>
            Promise.resolve(this.complete ? {} : { error: { type: 'validation_error' } }),
          create: (type: string) => (type === 'expressCheckout' ? this.#express() : this.#field()),
        };
      },
      confirmPayment: async (given: (typeof this.confirmed)[number]) => {
        this.confirmed.push(given);
        return this.confirm(given.clientSecret);
      },
      retrievePaymentIntent: async (secret: string) => {
        this.retrieved.push(secret);
        return this.retrieve(secret);
      },
    };
  }

  /** The donor presses the wallet's button. */
  async clickWallet() {
    await this.#walletListeners.get('click')!({
      expressPaymentType: 'apple_pay',
      resolve: () => this.walletClicks.push('resolved'),
      reject: () => this.walletClicks.push('rejected'),
    });
  }

  /** The donor agrees in the wallet's sheet. */
  async confirmWallet(billingDetails: { name?: string; email?: string }) {
    await this.#walletListeners.get('confirm')!({
      expressPaymentType: 'apple_pay',
      billingDetails,
      paymentFailed: () => (this.walletFailures += 1),
    });
  }

  /** The donor closes the wallet's sheet. */
  cancelWallet() {
    this.#walletListeners.get('cancel')!();
  }

  /** What a wallet's sheet would show: the amount that Stripe was told last. */
  get sheetAmount(): unknown {
    return [this.options, ...this.updates].findLast(({ amount }) => amount !== undefined)?.[
      'amount'
    ];
  }

  #express() {
    const button = document.createElement('button');
    button.textContent = 'Donate with Apple Pay';
    this.#walletListeners = new Map();
    return {
      on: (name: string, listener: () => void) => this.#walletListeners.set(name, listener),
      mount: (place: HTMLElement) => {
        place.append(button);
        const availablePaymentMethods = this.wallets;
        setTimeout(() => this.#walletListeners.get('ready')?.({ availablePaymentMethods }));
      },
      destroy: () => button.remove(),
    };
  }

  #field() {
    const input = document.createElement('input');
    input.setAttribute('aria-label', 'Card number');
    const listeners = new Map<string, (event?: { complete: boolean }) => void>();
    this.fillCard = (complete) => listeners.get('change')?.({ complete });
    return {
      on: (name: string, listener: () => void) => listeners.set(name, listener),
      mount: (place: HTMLElement) => {
        if (place.getRootNode() !== document) throw new Error('Please mount in the Light DOM.');
        this.mounts += 1;
        place.append(input);
        const { drawn } = this;
        setTimeout(() => void drawn.then(() => listeners.get('ready')?.()));
      },
      focus: () => input.focus(),
      destroy: () => {
        this.destroyed += 1;
        input.remove();
      },
    };
  }
}
