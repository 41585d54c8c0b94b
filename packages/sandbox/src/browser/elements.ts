import {
  type ApiError,
  type Fields,
  type Owner,
  confirmIntent,
  intentIn,
  retrieveIntent,
} from './api.ts';
import { type ExpectedIntent, findIntentMismatch } from './expected-intent.ts';
import { ExpressCheckoutElement, type ExpressOptions } from './express-checkout-element.ts';
import type { BillingName } from './method-form.ts';
import { IntegrationError } from './mountable-element.ts';
import { offeredMethods } from './offered-methods.ts';
import { PaymentElement, type PaymentOptions, askedDetails } from './payment-element.ts';
import { PaymentFrame } from './payment-frame.ts';

export type ElementsOptions = {
  mode?: string;
  amount?: number;
  currency?: string;
  appearance?: object;
  locale?: string | undefined;
  allowedPaymentMethodTypes?: string[];
};

type WalletParams = { payment_method_data?: Fields; return_url?: string };

type Submitted = { selectedPaymentMethod: string; error?: never } | { error: ApiError };

/**
 * Simulates the object that `stripe.elements()` of Stripe.js returns: shared options and up to one
 * payment and one express checkout element.
 */
export class Elements {
  readonly #base: string;
  readonly #owner: Owner;
  #options: ElementsOptions;
  #element: PaymentElement | null = null;
  #express: ExpressCheckoutElement | null = null;
  #frame: PaymentFrame | null = null;
  #order: readonly string[] = [];
  #asked: readonly BillingName[] = [];
  #submitted = false;

  constructor(base: string, owner: Owner, options: ElementsOptions) {
    checkOptions(options);
    this.#base = base;
    this.#owner = owner;
    this.#options = { ...options };
  }

  create(type: 'payment', options?: PaymentOptions): PaymentElement;
  create(type: 'expressCheckout', options?: ExpressOptions): ExpressCheckoutElement;
  /** @throws {IntegrationError} for another type, or for a second element of a type */
  create(
    type: string,
    options: ExpressOptions & PaymentOptions = {},
  ): PaymentElement | ExpressCheckoutElement {
    if (type === 'expressCheckout') return this.#createExpress(options);
    if (type !== 'payment') {
      throw new IntegrationError(
        `The sandbox supports only the payment and expressCheckout Elements, not "${type}".`,
      );
    }
    if (this.#element) {
      throw new IntegrationError('Can only create one Element of type payment.');
    }
    this.#order = options.paymentMethodOrder ?? [];
    this.#asked = askedDetails(options);
    this.#element = new PaymentElement((notify) => {
      this.#frame = new PaymentFrame(this.#base, () => this.#settings(), notify);
      return this.#frame;
    }, this.#onElementDestroyed);
    return this.#element;
  }

  #createExpress(options: ExpressOptions): ExpressCheckoutElement {
    if (this.#express) {
      throw new IntegrationError('Can only create one Element of type expressCheckout.');
    }
    const total = () => `${this.#options.amount} ${this.#options.currency}`;
    this.#express = new ExpressCheckoutElement({ ...options }, total, () => (this.#express = null));
    return this.#express;
  }

  async update(options: ElementsOptions): Promise<void> {
    const next = { ...this.#options, ...options };
    checkOptions(next);
    this.#options = next;
    this.#frame?.post('setup', this.#settings());
  }

  /** Validates the fields and shows their errors; returns the first error. */
  async submit(): Promise<Submitted> {
    const wallet = this.#express?.pending?.wallet;
    if (wallet) {
      this.#submitted = true;
      return { selectedPaymentMethod: wallet };
    }
    const submitted = (await this.#requireFrame().request('submit')) as Submitted;
    if (!submitted.error) this.#submitted = true;
    return submitted;
  }

  /**
   * Confirms the intent for `confirmPayment`. The card frame sends the request, so the page never
   * has card data.
   *
   * @throws {IntegrationError} if the calls are in the wrong order
   */
  confirm(clientSecret: string, params: WalletParams): Promise<unknown> {
    if (!this.#submitted) {
      throw new IntegrationError(
        'elements.submit() must be called before stripe.confirmPayment(). Call elements.submit() as soon as your customer presses pay, prior to any asynchronous work.',
      );
    }
    const { mode = '', amount, currency } = this.#options;
    const expected = { mode, amount, currency };
    if (this.#express?.pending) return this.#confirmWallet(clientSecret, params, expected);
    return this.#requireFrame().request('confirm', {
      owner: this.#owner,
      clientSecret,
      params,
      expected,
    });
  }

  /** Confirms the intent with the wallet's payment method, then closes the wallet sheet. */
  async #confirmWallet(secret: string, params: WalletParams, expected: ExpectedIntent) {
    const { paymentMethod } = this.#express!.pending!;
    const intentResult = await retrieveIntent(this.#base, this.#owner, secret);
    const intent = intentIn(intentResult);
    const mismatch = intent && findIntentMismatch(expected, intent);
    if (!intent || mismatch) return mismatch ? { error: mismatch } : intentResult;
    const result = await confirmIntent(this.#base, this.#owner, secret, {
      payment_method_data: { ...params.payment_method_data, ...paymentMethod },
      return_url: params.return_url,
      use_stripe_sdk: true,
    });
    this.#express?.finish();
    return result;
  }

  /** After `destroy()`, another payment element may be created. */
  readonly #onElementDestroyed = () => {
    this.#element = this.#frame = null;
  };

  #requireFrame(): PaymentFrame {
    if (this.#frame) return this.#frame;
    throw new IntegrationError('Create and mount a payment Element first.');
  }

  #settings() {
    const { appearance = {}, locale } = this.#options;
    const methods = offeredMethods(this.#options, this.#order);
    return { appearance, locale, methods, asked: this.#asked };
  }
}

const MODES: readonly string[] = ['payment', 'setup', 'subscription'];

/** @throws {IntegrationError} */
function checkOptions(options: ElementsOptions) {
  const { mode, amount, currency } = options;
  if ('paymentMethodTypes' in options) {
    throw new IntegrationError(
      'Invalid value for elements(): paymentMethodTypes is no longer supported. Use allowedPaymentMethodTypes to limit the payment methods, or manage them in the Dashboard.',
    );
  }
  if (!MODES.includes(mode ?? '')) {
    throw new IntegrationError(
      `Invalid value for elements(): mode should be one of ${MODES.join(', ')}. You specified: ${mode}.`,
    );
  }
  if (mode !== 'setup' && (!Number.isInteger(amount) || Number(amount) <= 0)) {
    throw new IntegrationError(
      `Invalid value for elements(): amount should be a positive integer. You specified: ${amount}.`,
    );
  }
  if (!/^[a-z]{3}$/.test(currency ?? '')) {
    throw new IntegrationError(
      `Invalid value for elements(): currency should be three lowercase letters. You specified: ${currency}.`,
    );
  }
}
