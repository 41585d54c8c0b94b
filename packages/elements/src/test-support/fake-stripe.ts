import type { PaymentIntent, StripeError } from '@stripe/stripe-js';

export type StripeResult = {
  paymentIntent?: Partial<PaymentIntent>;
  error?: Partial<StripeError>;
};

/** When the fake payment intents were created: still 2025 in New York. */
export const PAID_AT = new Date('2026-01-01T04:30:00Z');

export const paid = (amount = 5000): StripeResult => ({
  paymentIntent: {
    id: 'pi_1',
    status: 'succeeded',
    amount,
    currency: 'usd',
    created: PAID_AT.getTime() / 1000,
  },
});

export const declined = (decline_code: string): StripeResult => ({
  error: {
    type: 'card_error',
    code: 'card_declined',
    decline_code,
    payment_intent: { id: 'pi_1', status: 'requires_payment_method' } as PaymentIntent,
  },
});

/**
 * Simulates Stripe.js in the browser: `window.Stripe` with one card field. Tests in `test/e2e` use
 * the sandbox's full script.
 */
export class FakeStripe {
  complete = true;
  /** The `ready` event of a mounted card field is delayed until this resolves. */
  drawn: Promise<void> = Promise.resolve();
  confirm: (clientSecret: string) => StripeResult | Promise<StripeResult> = () => paid();
  retrieve: (clientSecret: string) => StripeResult | Promise<StripeResult> = () => paid();
  readonly confirmed: { clientSecret: string; confirmParams: { return_url: string } }[] = [];
  readonly retrieved: string[] = [];
  readonly updates: Record<string, unknown>[] = [];
  /** Simulates the donor's input in the mounted card field: complete or incomplete. */
  fillCard: (complete: boolean) => void = () => {};
  /** Simulates that the donor selects another payment method in the mounted fields. */
  selectMethod: (type: string) => void = () => {};
  /** The options of the mounted fields. */
  fieldOptions: Record<string, unknown> = {};
  options: Record<string, unknown> = {};
  mounts = 0;
  destroyed = 0;
  /** Value of `availablePaymentMethods` in the wallet element's `ready` event. */
  wallets: Record<string, boolean> | undefined;
  /** The form's responses to clicks on a wallet button. */
  readonly walletClicks: ('resolved' | 'rejected')[] = [];
  /** Number of `paymentFailed` calls to the wallet's sheet. */
  walletFailures = 0;
  #walletListeners = new Map<string, (event?: object) => unknown>();
  #fieldListeners = new Map<string, (event?: object) => void>();

  static #current: FakeStripe | undefined;
  /** One function for all tests, because `loadStripe` caches the first `window.Stripe` that it finds. */
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
          create: (type: string, fieldOptions: Record<string, unknown>) => {
            if (type === 'expressCheckout') return this.#express();
            this.fieldOptions = fieldOptions;
            return this.#field();
          },
        };
      },
      confirmPayment: async (options: (typeof this.confirmed)[number]) => {
        this.confirmed.push(options);
        return this.confirm(options.clientSecret);
      },
      retrievePaymentIntent: async (secret: string) => {
        this.retrieved.push(secret);
        return this.retrieve(secret);
      },
    };
  }

  /** Simulates a click on the wallet button. */
  async clickWallet() {
    await this.#walletListeners.get('click')!({
      expressPaymentType: 'apple_pay',
      resolve: () => this.walletClicks.push('resolved'),
      reject: () => this.walletClicks.push('rejected'),
    });
  }

  /** Simulates the donor's confirmation in the wallet's sheet. */
  async confirmWallet(billingDetails: { name?: string; email?: string }) {
    await this.#walletListeners.get('confirm')!({
      expressPaymentType: 'apple_pay',
      billingDetails,
      paymentFailed: () => (this.walletFailures += 1),
    });
  }

  /** Simulates Escape while the focus is in a frame of Stripe. */
  pressEscape(frame: 'card' | 'wallet') {
    (frame === 'card' ? this.#fieldListeners : this.#walletListeners).get('escape')!();
  }

  /** Simulates that the donor closes the wallet's sheet. */
  cancelWallet() {
    this.#walletListeners.get('cancel')!();
  }

  /** The amount that Stripe has, and that a wallet's sheet would show: the last one that it was given. */
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
      mount: (container: HTMLElement) => {
        container.append(button);
        const availablePaymentMethods = this.wallets;
        setTimeout(() => this.#walletListeners.get('ready')?.({ availablePaymentMethods }));
      },
      destroy: () => button.remove(),
    };
  }

  #field() {
    const input = document.createElement('input');
    input.setAttribute('aria-label', 'Card number');
    const listeners = new Map<string, (event?: object) => void>();
    const change = (complete: boolean, type: string) =>
      listeners.get('change')?.({ complete, value: { type } });
    this.fillCard = (complete) => change(complete, 'card');
    this.selectMethod = (type) => change(false, type);
    this.#fieldListeners = listeners;
    return {
      on: (name: string, listener: () => void) => listeners.set(name, listener),
      mount: (container: HTMLElement) => {
        if (container.getRootNode() !== document) throw new Error('Please mount in the Light DOM.');
        this.mounts += 1;
        container.append(input);
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
