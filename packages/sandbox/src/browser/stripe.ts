/**
 * `window.Stripe` for pages whose payments go to the sandbox: a stand-in for Stripe.js.
 *
 * Its API is the part of Stripe.js `endive` that the Payment Element and the Express Checkout
 * Element need. Cards and bank accounts are entered in a frame of the sandbox's origin, which sends them; this
 * script has no access to them.
 */
import {
  type Fields,
  type Owner,
  type Result,
  intentIn,
  isSetupSecret,
  retrieveIntent,
} from './api.ts';
import { authenticate } from './authentication-dialog.ts';
import { Elements, type ElementsOptions } from './elements.ts';
import { IntegrationError } from './mountable-element.ts';

/** The API is at the origin of this script. */
const BASE = new URL((document.currentScript as HTMLScriptElement).src).origin;

type ConfirmOptions = {
  elements?: Elements;
  clientSecret?: string;
  confirmParams?: { return_url?: string; payment_method_data?: Fields };
  redirect?: string;
};

/** @throws {IntegrationError} */
function checkClientSecret(secret: unknown): asserts secret is string {
  if (typeof secret === 'string' && /^(pi|seti)_\w+_secret_\w+$/.test(secret)) return;
  throw new IntegrationError(
    'Invalid value for clientSecret: it should be a client secret of the form ${id}_secret_${secret}.',
  );
}

class StripeSandbox {
  readonly #owner: Owner;
  readonly #locale: string | undefined;

  constructor(owner: Owner, locale: string | undefined) {
    this.#owner = owner;
    this.#locale = locale;
  }

  elements(options: ElementsOptions = {}) {
    return new Elements(BASE, this.#owner, { locale: this.#locale, ...options });
  }

  /** Confirms a payment, with an authentication or a redirect if the payment method requires it. */
  confirmPayment(options: ConfirmOptions): Promise<Result> {
    return this.#confirm('confirmPayment()', options, false);
  }

  /** Saves a payment method without charging it. */
  confirmSetup(options: ConfirmOptions): Promise<Result> {
    return this.#confirm('confirmSetup()', options, true);
  }

  async #confirm(verb: string, options: ConfirmOptions, isSetup: boolean): Promise<Result> {
    const { elements, clientSecret, confirmParams = {}, redirect } = options;
    if (!(elements instanceof Elements)) {
      throw new IntegrationError(`${verb} requires elements.`);
    }
    checkClientSecret(clientSecret);
    if (isSetupSecret(clientSecret) !== isSetup) {
      throw new IntegrationError(`${verb} received the client secret of another type of intent.`);
    }
    if (redirect !== 'if_required') {
      throw new IntegrationError(`The sandbox supports ${verb} only with redirect: 'if_required'.`);
    }
    return this.#finish((await elements.confirm(clientSecret, confirmParams)) as Result);
  }

  async retrievePaymentIntent(clientSecret: string): Promise<Result> {
    checkClientSecret(clientSecret);
    return retrieveIntent(BASE, this.#owner, clientSecret);
  }

  /** `@stripe/stripe-js` registers its version here; the sandbox ignores it. */
  _registerWrapper() {}

  async #finish(result: Result): Promise<Result> {
    const intent = intentIn(result);
    if (intent?.status !== 'requires_action') return result;
    const page = intent.next_action?.redirect_to_url?.url;
    if (page) return leaveFor(page);
    return authenticate(BASE, this.#owner, intent);
  }
}

/** Leaves the page. As in Stripe.js, the promise never resolves. */
function leaveFor(url: string): Promise<never> {
  location.assign(url);
  return new Promise(() => {});
}

/**
 * A function and not a class, because `@stripe/stripe-js` calls it without `new`.
 *
 * @throws {IntegrationError} for a key that does not begin with `pk_test_`
 */
function makeStripe(key: unknown, options: { stripeAccount?: string; locale?: string } = {}) {
  if (typeof key !== 'string' || key === '') {
    throw new IntegrationError(
      'Please call Stripe() with your publishable key. You used an empty string.',
    );
  }
  if (key.startsWith('sk_')) {
    throw new IntegrationError(
      'You should not use your secret key with Stripe.js. Please pass a publishable key instead.',
    );
  }
  if (!key.startsWith('pk_test_')) {
    throw new IntegrationError('This is the sandbox. It accepts only the key pk_test_sandbox.');
  }
  return new StripeSandbox({ key, account: options.stripeAccount }, options.locale);
}

// Do not replace an existing `Stripe` function, which is Stripe.js or a second copy of this script.
// An element with the id `Stripe` is also `window.Stripe`, and is not a function.
if (typeof (window as { Stripe?: unknown }).Stripe !== 'function') {
  Object.assign(window, { Stripe: Object.assign(makeStripe, { version: 'endive' }) });
}
