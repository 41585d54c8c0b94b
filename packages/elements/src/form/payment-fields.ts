import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { FormSession, Frequency, PaymentIntent, PublicForm } from '@connect-embed/contract';
import { allowedMethodTypes, methodOptions } from '@connect-embed/contract/payment-method';
import type {
  Stripe,
  StripeElementLocale,
  StripeElements,
  StripePaymentElement,
} from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure/index.mjs';
import type { ConnectDonate } from '../connect-donate.ts';
import { readStripeAppearance } from './stripe-appearance.ts';
import { MountPoint } from './mount-point.ts';
import { detachController } from './detach-controller.ts';
import type { PaymentFieldsStatus } from './form-context.ts';
import { fromConfirmResult, fromRetrieveResult, type Outcome } from './payment-outcome.ts';
import { waitSeconds, withRetry } from './retry-policy.ts';
import { addStripeScript } from './stripe-script.ts';
import type { Wallet } from './wallet.ts';

/** Delays before each attempt to retrieve a payment intent whose outcome is unknown. */
const RETRIEVE_DELAYS_MS = [0, 1000, 3000];

/** If Stripe's `ready` event does not arrive within this time, the fields count as blocked. */
const READY_TIMEOUT_MS = 20_000;

/**
 * If the page removes the payment fields more than this many times within the window, they are not
 * mounted again.
 */
const MAX_REMOVALS = 5;
const REMOVAL_WINDOW_MS = 10_000;

/** Delay before new colors are read, because a page may animate the change of its colors. */
const RESTYLE_DELAY_MS = 100;

/** Our languages with another code at Stripe. Stripe has no Hindi, so it chooses the language itself. */
const STRIPE_LOCALES: Readonly<Record<string, StripeElementLocale>> = { pt: 'pt-BR', hi: 'auto' };

/** Amount and frequency of the donation. They decide which payment methods Stripe offers. */
interface PaymentAmount {
  amountCents: number | undefined;
  frequency: Frequency;
}

interface BillingDetails {
  name: string;
  email: string;
}

/** The form that contains the payment fields: an element with a slot of this name in its shadow root. */
interface PaymentFieldsOwner {
  host: ReactiveControllerHost & Element & Pick<ConnectDonate, 'close'>;
  slot: string;
  statusChanged: (status: PaymentFieldsStatus) => void;
  /** Called when the payment fields become complete or incomplete. */
  completeChanged: () => void;
  /** Called when the donor selects a payment method: Stripe's name of it. */
  methodSelected: (type: string) => void;
  /** Language of the form, as a two-letter code. */
  language: () => string;
  /** Returns the visitor's session, whose form has the keys for Stripe. */
  openSession: () => Promise<FormSession>;
}

/**
 * The payment fields: Stripe's Payment Element in Stripe's own iframe, so that card data never reaches
 * this page's scripts or our servers.
 *
 * They are mounted before a payment intent exists (Stripe's deferred flow), so that one intent is
 * created per press of Give. No Stripe script is loaded before `load` is called.
 */
export class PaymentFields implements ReactiveController {
  status: PaymentFieldsStatus = 'idle';
  /**
   * The wallet buttons, which share Stripe's `elements` object with the payment fields while they are
   * mounted.
   */
  wallet: Pick<Wallet, 'mount' | 'unmount'> | undefined;
  /** True if the donor has filled in all required payment fields. */
  isComplete = false;
  readonly #mountPoint: MountPoint;
  readonly #owner: PaymentFieldsOwner;
  readonly #form: PublicForm;
  /** The latest amount and frequency that were passed to Stripe. */
  #amount: PaymentAmount = { amountCents: undefined, frequency: 'one_time' };
  #stripe: Promise<Stripe> | undefined;
  #elements: StripeElements | undefined;
  #paymentElement: StripePaymentElement | undefined;
  #pendingUpdate: Promise<unknown> = Promise.resolve();
  #ready: Promise<boolean> = Promise.resolve(false);
  #restyleTimer: ReturnType<typeof setTimeout> | undefined;
  /** Times at which the page removed the fields, in milliseconds since the page load. */
  #removals: number[] = [];
  /** Counts mounts and unmounts, so that asynchronous results of an earlier mount are ignored. */
  #mountCount = 0;

  constructor(owner: PaymentFieldsOwner, form: PublicForm) {
    this.#owner = owner;
    this.#mountPoint = new MountPoint(owner.slot, this.#removedByPage);
    this.#form = form;
    this.#mountPoint.removeOrphans(owner.host);
    owner.host.addController(this);
  }

  hostConnected() {
    if (this.status !== 'idle') this.#mount(); // An iframe loses its content when it is moved.
    this.#owner.host.addEventListener('connect-open', this.restyle);
    this.#owner.host.shadowRoot!.addEventListener('transitionend', this.#styleChanged);
  }

  hostDisconnected() {
    this.#unmount();
    this.#owner.host.removeEventListener('connect-open', this.restyle);
    this.#owner.host.shadowRoot!.removeEventListener('transitionend', this.#styleChanged);
    clearTimeout(this.#restyleTimer);
  }

  /** Loads Stripe's script and mounts the fields. Does nothing if they are already loading or mounted. */
  load(amount: PaymentAmount) {
    this.#amount = amount;
    if (this.status === 'idle' || this.status === 'blocked') this.#mount();
  }

  /** Passes a changed amount or frequency to Stripe. */
  update(sum: PaymentAmount) {
    const { amountCents: amount, frequency } = this.#amount;
    this.#amount = sum;
    const change = {
      ...(sum.amountCents && sum.amountCents !== amount && { amount: sum.amountCents }),
      ...(stripeMode(sum) !== stripeMode({ frequency }) && {
        mode: stripeMode(sum),
        ...this.#allowedMethods,
      }),
    };
    if (!Object.keys(change).length) return;
    this.#pendingUpdate = Promise.all([this.#pendingUpdate, this.#elements?.update(change)]);
  }

  /** Waits until Stripe has applied every update. */
  whenUpdated(): Promise<unknown> {
    return this.#pendingUpdate;
  }

  /** Reads the form's colors and fonts again and passes them to Stripe. */
  readonly restyle = () => {
    void this.#elements?.update({ appearance: readStripeAppearance(this.#owner.host) });
  };

  /**
   * The swatch's transition ends when the colors change, whether by the visitor's system, the
   * `appearance` property or the page's style sheet: `donation-flow.styles.ts`.
   */
  readonly #styleChanged = ({ target }: Event) => {
    if (!(target as Element).matches('.swatch')) return;
    clearTimeout(this.#restyleTimer);
    this.#restyleTimer = setTimeout(this.restyle, RESTYLE_DELAY_MS);
  };

  /** Mounts the fields again after a library that morphs the page (such as Turbo) has removed them. */
  readonly #removedByPage = () => {
    const now = performance.now();
    this.#removals = [...this.#removals.filter((at) => now - at < REMOVAL_WINDOW_MS), now];
    if (this.#removals.length <= MAX_REMOVALS) return this.#mount();
    this.#removals = [];
    console.error(
      `<${this.#owner.host.localName}> The page keeps removing the element's child <div slot="${this.#owner.slot}">, which holds the card's fields. Exclude the element from morphing.`,
    );
    this.#markBlocked();
  };

  /** Passes the form's current language to Stripe. */
  translate() {
    void this.#elements?.update({ locale: this.#locale });
  }

  /**
   * The payment methods to which Stripe's fields are restricted, as is the payment intent. An older API does not
   * restrict them.
   */
  get #allowedMethods(): { allowedPaymentMethodTypes?: string[] } {
    const { payment_method_types: offered } = this.#form;
    const isRecurring = this.#amount.frequency !== 'one_time';
    return offered ? { allowedPaymentMethodTypes: allowedMethodTypes(offered, isRecurring) } : {};
  }

  get #locale(): StripeElementLocale {
    const language = this.#owner.language();
    return STRIPE_LOCALES[language] ?? (language as StripeElementLocale);
  }

  /** Moves the focus to the payment fields. */
  focus() {
    this.#paymentElement?.focus();
  }

  /** Removes the fields and the card data in them. They can be loaded again. */
  clear() {
    this.#unmount();
    this.#ready = Promise.resolve(false);
    this.#setStatus('idle');
  }

  /** Removes the fields permanently. */
  remove() {
    detachController(this.#owner.host, this);
    this.status = 'idle';
  }

  /** Waits until the fields are mounted; false if they are blocked. */
  whenReady(): Promise<boolean> {
    return this.#ready;
  }

  /** Has Stripe validate the fields and show its own error messages. True if they are complete. */
  async submit(): Promise<boolean> {
    if (!(await this.#ready) || !this.#elements) return false;
    const { error } = await this.#elements.submit();
    return !error;
  }

  /** Confirms the payment intent. If the response is lost, the outcome is retrieved from Stripe. */
  async confirm(
    intent: PaymentIntent,
    billing: BillingDetails,
    returnUrl: string,
  ): Promise<Outcome> {
    const stripe = await this.#getStripe();
    if (!this.#elements) return { kind: 'declined', code: '' };
    const { client_secret: clientSecret } = intent;
    const outcome = await stripe
      .confirmPayment({
        elements: this.#elements,
        clientSecret,
        confirmParams: {
          return_url: returnUrl,
          payment_method_data: { billing_details: billing },
        },
        redirect: 'if_required',
      })
      .then(fromConfirmResult, (): Outcome => ({ kind: 'unknown' }));
    return outcome.kind === 'unknown' ? this.retrieveOutcome(clientSecret) : outcome;
  }

  /** Retrieves the state of a payment intent from Stripe, with retries. */
  async retrieveOutcome(clientSecret: string): Promise<Outcome> {
    for (const delayMs of RETRIEVE_DELAYS_MS) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      const outcome = await this.#getStripe()
        .then((stripe) => stripe.retrievePaymentIntent(clientSecret))
        .then(fromRetrieveResult, (): Outcome => ({ kind: 'unknown' }));
      if (outcome.kind !== 'unknown') return outcome;
    }
    return { kind: 'unknown' };
  }

  #getStripe(): Promise<Stripe> {
    this.#stripe ??= this.#loadStripe();
    this.#stripe.catch(() => (this.#stripe = undefined));
    return this.#stripe;
  }

  async #loadStripe(): Promise<Stripe> {
    const { stripe_js_url, livemode } = this.#form;
    // Waits for both: the message about a blocked script links to the hosted form, which the session names.
    const [session, script] = await Promise.allSettled([
      this.#owner.openSession(),
      addStripeScript(stripe_js_url, livemode),
    ]);
    if (script.status === 'rejected') throw script.reason;
    if (session.status === 'rejected') throw session.reason;
    const { publishable_key, stripe_account_id } = session.value.form;
    const stripe = await loadStripe(publishable_key, {
      stripeAccount: stripe_account_id!, // Undefined if the account has its own key.
      locale: this.#locale,
    });
    return stripe!;
  }

  #mount() {
    this.#unmount();
    this.#setStatus('loading');
    const mountNumber = this.#mountCount;
    this.#ready = this.#createFields(mountNumber).then(
      (drawn) => {
        if (drawn) this.#setStatus('ready');
        return drawn;
      },
      (error: unknown) => {
        if (mountNumber !== this.#mountCount) return false;
        console.error(error);
        this.#markBlocked();
        return false;
      },
    );
  }

  #markBlocked() {
    this.#unmount();
    this.#ready = Promise.resolve(false);
    this.#setStatus('blocked');
  }

  async #createFields(round: number): Promise<boolean> {
    const stripe = await withRetry(() => this.#getStripe(), waitSeconds);
    // The element was moved or removed meanwhile; a later mount creates the fields.
    if (round !== this.#mountCount || !this.#owner.host.isConnected) return false;
    this.#mountPoint.attach(this.#owner.host);
    const { currency, terms, payment_method_types: paymentMethodOrder } = this.#form;
    this.#elements = stripe.elements({
      mode: stripeMode(this.#amount),
      amount: this.#amount.amountCents ?? terms.min_amount_cents,
      currency,
      ...this.#allowedMethods,
      // The same for every frequency, unlike the allowed methods.
      ...(paymentMethodOrder && { paymentMethodOptions: methodOptions(paymentMethodOrder) }),
      locale: this.#locale,
      appearance: readStripeAppearance(this.#owner.host),
    });
    const field = this.#elements.create('payment', {
      fields: { billingDetails: { name: 'never', email: 'never' } },
      // Cards are first, and therefore selected; bank debits are last.
      ...(paymentMethodOrder && { paymentMethodOrder }),
    });
    this.#paymentElement = field;
    field.on('change', ({ complete, value }) => {
      if (round !== this.#mountCount) return;
      this.#owner.methodSelected(value.type);
      if (complete === this.isComplete) return;
      this.isComplete = complete;
      this.#owner.completeChanged();
    });
    this.wallet?.mount(this.#elements).catch((error: unknown) => {
      console.error('<connect-donate> wallets:', error); // The payment fields work without wallets.
    });
    // A key that is pressed in Stripe's frame reaches neither the page nor its dialog.
    field.on('escape', () => this.#owner.host.close());
    await new Promise<void>((resolve, reject) => {
      const onTimeout = () => reject(new Error('The card form did not load in time.'));
      const timer = setTimeout(onTimeout, READY_TIMEOUT_MS);
      field.on('ready', () => (clearTimeout(timer), resolve()));
      field.on('loaderror', ({ error }) => (clearTimeout(timer), reject(new Error(error.message))));
      field.mount(this.#mountPoint.div);
    });
    return round === this.#mountCount;
  }

  #unmount() {
    this.#mountCount += 1;
    if (this.#elements) this.wallet?.unmount();
    this.#pendingUpdate = Promise.resolve();
    this.isComplete = false;
    this.#paymentElement?.destroy();
    this.#paymentElement = this.#elements = undefined;
    this.#mountPoint.detach();
  }

  #setStatus(status: PaymentFieldsStatus) {
    this.status = status;
    this.#owner.statusChanged(status);
  }
}

/**
 * A recurring donation saves the card for later payments; in this mode Stripe shows the required
 * mandate.
 */
const stripeMode = ({ frequency }: Pick<PaymentAmount, 'frequency'>) =>
  frequency === 'one_time' ? ('payment' as const) : ('subscription' as const);
