import type { EmbedForm, Frequency, PaymentIntent } from '@connect-embed/contract';
import type {
  Stripe,
  StripeElementLocale,
  StripeElements,
  StripePaymentElement,
} from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure/index.mjs';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { appearanceOf } from './appearance.ts';
import { MountPoint } from './mount-point.ts';
import type { CardStatus } from './opened-form.ts';
import { outcomeOfConfirm, outcomeOfRead, type Outcome } from './outcome.ts';
import { addStripeScript } from './stripe-script.ts';
import type { Wallet } from './wallet.ts';

/** Pauses before each reading back of an outcome that nobody told us. */
const READ_BACK_WAITS_MS = [0, 1000, 3000];

/** A frame that never says `ready` is a blocked one. */
const DRAW_TIMEOUT_MS = 20_000;

/** A page that removes the card's fields again and again is not fought: so often within so long. */
const MOST_REMOVALS = 5;
const REMOVALS_WITHIN_MS = 10_000;

/** A page may change its colors slowly: they are taken once they stay. */
const SETTLED_MS = 100;

/** Languages that go by another name there; Hindi is not spoken there yet. */
const OF_STRIPE: Readonly<Record<string, StripeElementLocale>> = { pt: 'pt-BR', hi: 'auto' };

/** What the fields must know of the gift: it decides which means of payment they offer. */
export interface Sum {
  amountCents: number | undefined;
  frequency: Frequency;
}

export interface Billing {
  name: string;
  email: string;
}

/** Who draws around the card: an element with a slot of this name in its shadow root. */
export interface CardOwner {
  host: ReactiveControllerHost & Element;
  slot: string;
  changed: (status: CardStatus) => void;
  /** The fields have become complete, or are so no more. */
  completed: () => void;
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
export class Card implements ReactiveController {
  status: CardStatus = 'idle';
  /** Shares Stripe's elements with the fields, from their mounting to their end. */
  wallet: Pick<Wallet, 'mount' | 'unmount'> | undefined;
  /** The donor has filled in all that the fields require. */
  isComplete = false;
  readonly #place: MountPoint;
  readonly #owner: CardOwner;
  readonly #form: EmbedForm;
  /** One list for both: another one of the same words would not know the listener to remove. */
  #sum: Sum = { amountCents: undefined, frequency: 'one_time' };
  #stripe: Promise<Stripe> | undefined;
  #elements: StripeElements | undefined;
  #field: StripePaymentElement | undefined;
  #updated: Promise<unknown> = Promise.resolve();
  #drawn: Promise<boolean> = Promise.resolve(false);
  #settling: ReturnType<typeof setTimeout> | undefined;
  /** When the page removed the fields, in milliseconds since it was opened. */
  #removals: number[] = [];
  /** Counts mounts and unmounts, so that a late answer knows that it is late. */
  #round = 0;

  constructor(owner: CardOwner, form: EmbedForm) {
    this.#owner = owner;
    this.#place = new MountPoint(owner.slot, this.#removedByPage);
    this.#form = form;
    this.#place.sweep(owner.host);
    owner.host.addController(this);
  }

  hostConnected() {
    if (this.status !== 'idle') this.#mount(); // A moved frame is an empty one.
    this.#owner.host.addEventListener('connect-open', this.restyle);
    this.#owner.host.shadowRoot!.addEventListener('transitionend', this.#lookChanged);
  }

  hostDisconnected() {
    this.#unmount();
    this.#owner.host.removeEventListener('connect-open', this.restyle);
    this.#owner.host.shadowRoot!.removeEventListener('transitionend', this.#lookChanged);
    clearTimeout(this.#settling);
  }

  /** Fetches the processor's script and draws the fields; again only after it was blocked. */
  load(sum: Sum) {
    this.#sum = sum;
    if (this.status === 'idle' || this.status === 'blocked') this.#mount();
  }

  /** Tells the fields what has changed of the sum. */
  update(sum: Sum) {
    const { amountCents: amount, frequency } = this.#sum;
    this.#sum = sum;
    const change = {
      ...(sum.amountCents && sum.amountCents !== amount && { amount: sum.amountCents }),
      ...(modeOf(sum) !== modeOf({ frequency }) && { mode: modeOf(sum) }),
    };
    if (!Object.keys(change).length) return;
    this.#updated = Promise.all([this.#updated, this.#elements?.update(change)]);
  }

  /** Waits until Stripe has taken every change of the sum. */
  whenUpdated(): Promise<unknown> {
    return this.#updated;
  }

  /** Takes the page's colors again. */
  readonly restyle = () => {
    void this.#elements?.update({ appearance: appearanceOf(this.#owner.host) });
  };

  /** By the visitor's system, the owner's script or the page's own style sheet: `giving.styles.ts`. */
  readonly #lookChanged = ({ target }: Event) => {
    if (!(target as Element).matches('.swatch')) return;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(this.restyle, SETTLED_MS);
  };

  /** A library that morphs the page has removed the fields, and their frame with them. */
  readonly #removedByPage = () => {
    const now = performance.now();
    this.#removals = [...this.#removals.filter((at) => now - at < REMOVALS_WITHIN_MS), now];
    if (this.#removals.length <= MOST_REMOVALS) return this.#mount();
    this.#removals = [];
    console.error(
      `<${this.#owner.host.localName}> The page keeps removing the element's child <div slot="${this.#owner.slot}">, which holds the card's fields. Exclude the element from morphing.`,
    );
    this.#block();
  };

  /** Takes the language of the words around it again. */
  translate() {
    void this.#elements?.update({ locale: this.#locale });
  }

  get #locale(): StripeElementLocale {
    const language = this.#owner.language();
    return OF_STRIPE[language] ?? (language as StripeElementLocale);
  }

  /** Puts the donor's cursor on the fields. */
  focus() {
    this.#field?.focus();
  }

  /** Takes the fields away, with what was typed into them. */
  clear() {
    this.#unmount();
    this.#drawn = Promise.resolve(false);
    this.#become('idle');
  }

  /** Takes them away for good. */
  remove() {
    this.#owner.host.removeController(this);
    this.hostDisconnected();
    this.status = 'idle';
  }

  /** Waits until the fields are there; false when they are blocked. */
  whenDrawn(): Promise<boolean> {
    return this.#drawn;
  }

  /** Lets the fields check themselves; true when they are complete. They show what is missing. */
  async submit(): Promise<boolean> {
    if (!(await this.#drawn) || !this.#elements) return false;
    const { error } = await this.#elements.submit();
    return !error;
  }

  /** Charges the card, and finds out what became of it even when the line breaks. */
  async confirm(intent: PaymentIntent, billing: Billing, returnUrl: string): Promise<Outcome> {
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
      .then(outcomeOfConfirm, (): Outcome => ({ kind: 'unknown' }));
    return outcome.kind === 'unknown' ? this.readBack(clientSecret) : outcome;
  }

  /** Asks the processor what became of an intent. */
  async readBack(clientSecret: string): Promise<Outcome> {
    for (const pause of READ_BACK_WAITS_MS) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      const outcome = await this.#getStripe()
        .then((stripe) => stripe.retrievePaymentIntent(clientSecret))
        .then(outcomeOfRead, (): Outcome => ({ kind: 'unknown' }));
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
    this.#become('loading');
    const round = this.#round;
    this.#drawn = this.#draw(round).then(
      (drawn) => {
        if (drawn) this.#become('ready');
        return drawn;
      },
      (error: unknown) => {
        if (round !== this.#round) return false;
        console.error(error);
        this.#block();
        return false;
      },
    );
  }

  #block() {
    this.#unmount();
    this.#drawn = Promise.resolve(false);
    this.#become('blocked');
  }

  async #draw(round: number): Promise<boolean> {
    const stripe = await this.#getStripe();
    // Moved or removed meanwhile: a later round draws.
    if (round !== this.#round || !this.#owner.host.isConnected) return false;
    this.#place.attach(this.#owner.host);
    const { currency, terms } = this.#form;
    this.#elements = stripe.elements({
      mode: modeOf(this.#sum),
      amount: this.#sum.amountCents ?? terms.min_amount_cents,
      currency,
      locale: this.#locale,
      appearance: appearanceOf(this.#owner.host),
    });
    const field = this.#elements.create('payment', {
      fields: { billingDetails: { name: 'never', email: 'never' } },
    });
    this.#field = field;
    field.on('change', ({ complete }) => {
      if (round !== this.#round || complete === this.isComplete) return;
      this.isComplete = complete;
      this.#owner.completed();
    });
    await new Promise<void>((resolve, reject) => {
      const late = () => reject(new Error('The card form did not appear.'));
      const timer = setTimeout(late, DRAW_TIMEOUT_MS);
      field.on('ready', () => (clearTimeout(timer), resolve()));
      field.on('loaderror', ({ error }) => (clearTimeout(timer), reject(new Error(error.message))));
      field.mount(this.#place.div);
    });
    if (round === this.#round) {
      this.wallet?.mount(this.#elements).catch((error: unknown) => {
        console.error('<connect-donate> wallets:', error); // The card's fields need no wallet.
      });
    }
    return round === this.#round;
  }

  #unmount() {
    this.#round += 1;
    if (this.#elements) this.wallet?.unmount();
    this.#updated = Promise.resolve();
    this.isComplete = false;
    this.#field?.destroy();
    this.#field = this.#elements = undefined;
    this.#place.detach();
  }

  #become(status: CardStatus) {
    this.status = status;
    this.#owner.changed(status);
  }
}

/** A plan keeps the card for the gifts to come; the processor asks for leave where it must. */
const modeOf = ({ frequency }: Pick<Sum, 'frequency'>) =>
  frequency === 'one_time' ? ('payment' as const) : ('subscription' as const);
