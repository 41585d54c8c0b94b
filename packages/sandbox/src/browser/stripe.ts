/**
 * `window.Stripe` for pages whose payments go to the sandbox: a stand-in for Stripe.js.
 *
 * Its API is the part of Stripe.js `endive` that the Payment Element and the Express Checkout
 * Element need. Cards and bank accounts are entered in a frame of the sandbox's origin, which sends them; this
 * script has no access to them.
 */
import {
  type Fields,
  type Intent,
  type Owner,
  type Result,
  intentIn,
  isSetupSecret,
  retrieveIntent,
} from './api.ts';
import { authenticate } from './authentication-dialog.ts';
import { Elements, type ElementsOptions, checkClientSecret } from './elements.ts';
import { IntegrationError } from './mountable-element.ts';

/** The API is at the origin of this script. */
const BASE = new URL((document.currentScript as HTMLScriptElement).src).origin;

type ConfirmOptions = {
  elements?: Elements;
  clientSecret?: string;
  confirmParams?: { return_url?: string; payment_method_data?: Fields; receipt_email?: string };
  redirect?: 'always' | 'if_required';
};

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
    const { elements, clientSecret, confirmParams = {}, redirect = 'always' } = options;
    if (!(elements instanceof Elements)) {
      throw new IntegrationError(`${verb} requires elements.`);
    }
    if (clientSecret !== undefined) checkClientSecret(clientSecret);
    if (clientSecret !== undefined && isSetupSecret(clientSecret) !== isSetup) {
      throw new IntegrationError(`${verb} received the client secret of another type of intent.`);
    }
    if (redirect === 'always' && !confirmParams.return_url) {
      throw new IntegrationError(
        `${verb} requires confirmParams.return_url, or redirect: 'if_required'.`,
      );
    }
    const confirmed = (await elements.confirm(clientSecret, confirmParams)) as Result;
    const result = await this.#finish(confirmed);
    const intent = intentIn(result);
    return redirect === 'always' && intent
      ? redirectToReturnUrl(String(confirmParams.return_url), intent)
      : result;
  }

  retrieveSetupIntent(clientSecret: string): Promise<Result> {
    return this.retrievePaymentIntent(clientSecret);
  }

  async retrievePaymentIntent(clientSecret: string): Promise<Result> {
    checkClientSecret(clientSecret);
    return retrieveIntent(BASE, this.#owner, clientSecret);
  }

  async handleNextAction({ clientSecret }: { clientSecret: string }): Promise<Result> {
    return this.#finish(await this.retrievePaymentIntent(clientSecret));
  }

  /** `@stripe/stripe-js` registers its version here; the sandbox ignores it. */
  _registerWrapper() {}

  registerAppInfo() {}

  async #finish(result: Result): Promise<Result> {
    const intent = intentIn(result);
    if (intent?.status !== 'requires_action') return result;
    const page = intent.next_action?.redirect_to_url?.url;
    if (page) return leaveFor(page);
    return authenticate(BASE, this.#owner, intent);
  }
}

/** Leaves the page. As in Stripe.js, the promise never resolves. */
function leaveFor(url: string | URL): Promise<never> {
  location.assign(url);
  return new Promise(() => {});
}

/** The value of `redirect_status` for a payment that has not failed. */
const REDIRECT_STATUSES: Readonly<Record<string, string>> = {
  succeeded: 'succeeded',
  processing: 'pending',
};

function redirectToReturnUrl(returnUrl: string, intent: Intent): Promise<never> {
  const url = new URL(returnUrl);
  url.searchParams.set(intent.object, intent.id);
  url.searchParams.set(`${intent.object}_client_secret`, intent.client_secret);
  url.searchParams.set('redirect_status', REDIRECT_STATUSES[intent.status] ?? 'failed');
  return leaveFor(url);
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
