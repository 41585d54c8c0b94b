import type { EmbedForm, Frequency, PaymentIntent } from '@connect-embed/contract';
import type {
  Stripe,
  StripeElementLocale,
  StripeElements,
  StripePaymentElement,
} from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure/index.mjs';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { readStripeAppearance } from './stripe-appearance.ts';
import { MountPoint } from './mount-point.ts';
import type { CardStatus } from './form-context.ts';
import { fromConfirmResult, fromRetrieveResult, type Outcome } from './payment-outcome.ts';
import { addStripeScript } from './stripe-script.ts';
import type { Wallet } from './wallet.ts';

/** Pauses before each reading back of an outcome that nobody told us. */
const RETRIEVE_DELAYS_MS = [0, 1000, 3000];

/** A frame that never says `ready` is a blocked one. */
const READY_TIMEOUT_MS = 20_000;

/** A page that removes the card's fields again and again is not fought: so often within so long. */
const MAX_REMOVALS = 5;
const REMOVAL_WINDOW_MS = 10_000;

/** A page may change its colors slowly: they are taken once they stay. */
const RESTYLE_DELAY_MS = 100;

/** Languages that go by another name there; Hindi is not spoken there yet. */
const STRIPE_LOCALES: Readonly<Record<string, StripeElementLocale>> = { pt: 'pt-BR', hi: 'auto' };

/** What the fields must know of the gift: it decides which means of payment they offer. */
export interface PaymentAmount {
  amountCents: number | undefined;
  frequency: Frequency;
}

export interface BillingDetails {
  name: string;
  email: string;
}

/** Who draws around the card: an element with a slot of this name in its shadow root. */
export interface CardOwner {
  host: ReactiveControllerHost & Element;
  slot: string;
  statusChanged: (status: CardStatus) => void;
  /** The fields have become complete, or are so no more. */
  completeChanged: () => void;
  /** Language of the words around the card. */
  language: () => string;
}

/**
 * The card's own fields: drawn by the processor in its own frame, so that a card number passes
 * neither this page's scripts nor any server of ours.
 *
 * They are mounted before there is anything to charge (Stripe's deferred flow), so that one intent
 * is made per press of Give. Nothing of the processor's is fetched before `load`.
 */
export class CardFields implements ReactiveController {
  status: CardStatus = 'idle';
  /** Shares Stripe's elements with the fields, from their mounting to their end. */
  wallet: Pick<Wallet, 'mount' | 'unmount'> | undefined;
  /** The donor has filled in all that the fields require. */
  isComplete = false;
  readonly #mountPoint: MountPoint;
  readonly #owner: CardOwner;
  readonly #form: EmbedForm;
  /** One list for both: another one of the same words would not know the listener to remove. */
  #amount: PaymentAmount = { amountCents: undefined, frequency: 'one_time' };
  #stripe: Promise<Stripe> | undefined;
  #elements: StripeElements | undefined;
  #paymentElement: StripePaymentElement | undefined;
  #pendingUpdate: Promise<unknown> = Promise.resolve();
  #ready: Promise<boolean> = Promise.resolve(false);
  #restyleTimer: ReturnType<typeof setTimeout> | undefined;
  /** When the page removed the fields, in milliseconds since it was opened. */
  #removals: number[] = [];
  /** Counts mounts and unmounts, so that a late answer knows that it is late. */
  #mountCount = 0;

  constructor(owner: CardOwner, form: EmbedForm) {
    this.#owner = owner;
    this.#mountPoint = new MountPoint(owner.slot, this.#removedByPage);
    this.#form = form;
    this.#mountPoint.removeOrphans(owner.host);
    owner.host.addController(this);
  }

  hostConnected() {
    if (this.status !== 'idle') this.#mount(); // A moved frame is an empty one.
    this.#owner.host.addEventListener('connect-open', this.restyle);
    this.#owner.host.shadowRoot!.addEventListener('transitionend', this.#styleChanged);
  }

  hostDisconnected() {
    this.#unmount();
    this.#owner.host.removeEventListener('connect-open', this.restyle);
    this.#owner.host.shadowRoot!.removeEventListener('transitionend', this.#styleChanged);
    clearTimeout(this.#restyleTimer);
  }

  /** Fetches the processor's script and draws the fields; again only after it was blocked. */
  load(sum: PaymentAmount) {
    this.#amount = sum;
    if (this.status === 'idle' || this.status === 'blocked') this.#mount();
  }

  /** Tells the fields what has changed of the sum. */
  update(sum: PaymentAmount) {
    const { amountCents: amount, frequency } = this.#amount;
    this.#amount = sum;
    const change = {
      ...(sum.amountCents && sum.amountCents !== amount && { amount: sum.amountCents }),
      ...(stripeMode(sum) !== stripeMode({ frequency }) && { mode: stripeMode(sum) }),
    };
    if (!Object.keys(change).length) return;
    this.#pendingUpdate = Promise.all([this.#pendingUpdate, this.#elements?.update(change)]);
  }

  /** Waits until Stripe has taken every change of the sum. */
  whenUpdated(): Promise<unknown> {
    return this.#pendingUpdate;
  }

  /** Takes the page's colors again. */
  readonly restyle = () => {
    void this.#elements?.update({ appearance: readStripeAppearance(this.#owner.host) });
  };

  /** By the visitor's system, the owner's script or the page's own style sheet: `donation-flow.styles.ts`. */
  readonly #styleChanged = ({ target }: Event) => {
    if (!(target as Element).matches('.swatch')) return;
    clearTimeout(this.#restyleTimer);
    this.#restyleTimer = setTimeout(this.restyle, RESTYLE_DELAY_MS);
  };

  /** A library that morphs the page has removed the fields, and their frame with them. */
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

  /** Takes the language of the words around it again. */
  translate() {
    void this.#elements?.update({ locale: this.#locale });
  }

  get #locale(): StripeElementLocale {
    const language = this.#owner.language();
    return STRIPE_LOCALES[language] ?? (language as StripeElementLocale);
  }

  /** Puts the donor's cursor on the fields. */
  focus() {
    this.#paymentElement?.focus();
  }

  /** Takes the fields away, with what was typed into them. */
  clear() {
    this.#unmount();
    this.#ready = Promise.resolve(false);
    this.#setStatus('idle');
  }

  /** Takes them away for good. */
  remove() {
    this.#owner.host.removeController(this);
    this.hostDisconnected();
    this.status = 'idle';
  }

  /** Waits until the fields are there; false when they are blocked. */
  whenReady(): Promise<boolean> {
    return this.#ready;
  }

  /** Lets the fields check themselves; true when they are complete. They show what is missing. */
  async submit(): Promise<boolean> {
    if (!(await this.#ready) || !this.#elements) return false;
    const { error } = await this.#elements.submit();
    return !error;
  }

  /** Charges the card, and finds out what became of it even when the line breaks. */
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

  /** Asks the processor what became of an intent. */
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
    const { stripe_js_url, livemode, publishable_key, stripe_account_id } = this.#form;
    this.#stripe ??= addStripeScript(stripe_js_url, livemode)
      .then(() =>
        loadStripe(publishable_key, { stripeAccount: stripe_account_id, locale: this.#locale }),
      )
      .then((stripe) => stripe!);
    this.#stripe.catch(() => (this.#stripe = undefined));
    return this.#stripe;
  }

  #mount() {
    this.#unmount();
    this.#setStatus('loading');
    const round = this.#mountCount;
    this.#ready = this.#createFields(round).then(
      (drawn) => {
        if (drawn) this.#setStatus('ready');
        return drawn;
      },
      (error: unknown) => {
        if (round !== this.#mountCount) return false;
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
    const stripe = await this.#getStripe();
    // Moved or removed meanwhile: a later round draws.
    if (round !== this.#mountCount || !this.#owner.host.isConnected) return false;
    this.#mountPoint.attach(this.#owner.host);
    const { currency, terms } = this.#form;
    this.#elements = stripe.elements({
      mode: stripeMode(this.#amount),
      amount: this.#amount.amountCents ?? terms.min_amount_cents,
      currency,
      locale: this.#locale,
      appearance: readStripeAppearance(this.#owner.host),
    });
    const field = this.#elements.create('payment', {
      fields: { billingDetails: { name: 'never', email: 'never' } },
    });
    this.#paymentElement = field;
    field.on('change', ({ complete }) => {
      if (round !== this.#mountCount || complete === this.isComplete) return;
      this.isComplete = complete;
      this.#owner.completeChanged();
    });
    await new Promise<void>((resolve, reject) => {
      const onTimeout = () => reject(new Error('The card form did not appear.'));
      const timer = setTimeout(onTimeout, READY_TIMEOUT_MS);
      field.on('ready', () => (clearTimeout(timer), resolve()));
      field.on('loaderror', ({ error }) => (clearTimeout(timer), reject(new Error(error.message))));
      field.mount(this.#mountPoint.div);
    });
    if (round === this.#mountCount) {
      this.wallet?.mount(this.#elements).catch((error: unknown) => {
        console.error('<connect-donate> wallets:', error); // The card's fields need no wallet.
      });
    }
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

  #setStatus(status: CardStatus) {
    this.status = status;
    this.#owner.statusChanged(status);
  }
}

/** A plan keeps the card for the gifts to come; the processor asks for leave where it must. */
const stripeMode = ({ frequency }: Pick<PaymentAmount, 'frequency'>) =>
  frequency === 'one_time' ? ('payment' as const) : ('subscription' as const);
