import type { CreatePaymentIntent, Frequency } from '@connect-embed/contract';
import type {
  ClickResolveDetails,
  StripeElements,
  StripeExpressCheckoutElement,
  StripeExpressCheckoutElementClickEvent as ClickEvent,
  StripeExpressCheckoutElementConfirmEvent as ConfirmEvent,
} from '@stripe/stripe-js';
import { html } from 'lit';
import { giftOf } from './gift-check.ts';
import { MountPoint } from './mount-point.ts';
import type { OpenedForm } from './opened-form.ts';

/** Stripe opens no sheet for a click that is not resolved within one second. */
const RESOLVE_WITHIN_MS = 900;

/** What a wallet needs of the form around it. */
export interface WalletActions {
  /** Checks the amount, which is all that a wallet does not bring; shows what is wrong with it. */
  mayOpen: () => boolean;
  /** Resolves once Stripe has every change of amount and frequency. */
  whenUpdated: () => Promise<unknown>;
  /** Takes the donation on the same path as a press of Give; true when it was taken. */
  pay: () => Promise<boolean>;
}

/**
 * Apple Pay, Google Pay, Link and others: Stripe's Express Checkout Element, where the browser has one.
 *
 * It shares Stripe's `elements` object with the card fields, so that both have the same amount. Name and
 * email come from the wallet. An open wallet sheet shows the amount at the time of the click. If the amount
 * has changed since, the donation is rejected and not charged: docs/decisions/0092-wallets.md
 */
export class Wallet {
  readonly #opened: OpenedForm;
  readonly #actions: WalletActions;
  readonly #place: MountPoint;
  #element: StripeExpressCheckoutElement | undefined;
  /** The mount that counts, while there is one. */
  #mounting: object | undefined;
  #isAvailable = false;
  #isShown = false;
  /** What the sheet shows, as the server would get it. */
  #offered: CreatePaymentIntent | undefined;
  readonly #view: IntersectionObserver;

  constructor(opened: OpenedForm, actions: WalletActions) {
    this.#opened = opened;
    this.#actions = actions;
    this.#place = new MountPoint(`${opened.slot}-wallet`, () => this.unmount());
    this.#view = new IntersectionObserver((entries) => {
      const { boundingClientRect: box, rootBounds } = entries.at(-1)!;
      if (rootBounds && box.top >= rootBounds.bottom) this.show();
    });
  }

  /** Adds the buttons to the elements of the card's fields, out of sight until one is available. */
  async mount(elements: StripeElements) {
    const { host, answer, show } = this.#opened;
    const mounting = (this.#mounting = {});
    show({ wallet: this.#render() });
    await host.updateComplete;
    if (mounting !== this.#mounting) return; // The card was taken away meanwhile, or drawn anew.
    this.#place.attach(host);
    const { organization } = answer.form;
    const element = elements.create('expressCheckout', {
      business: { name: organization.name },
      billingAddressRequired: true, // The name is part of the billing address.
      emailRequired: true,
      buttonHeight: 48,
      buttonType: { applePay: 'donate', googlePay: 'donate' },
    });
    this.#element = element;
    element.on('ready', ({ availablePaymentMethods: methods }) => {
      this.#isAvailable = Object.values(methods ?? {}).includes(true);
      if (this.#isAvailable) this.#watchPlace();
      else this.unmount();
    });
    element.on('loaderror', () => this.unmount());
    element.on('click', this.#open);
    element.on('cancel', () => (this.#offered = undefined));
    element.on('confirm', this.#confirm);
    element.mount(this.#place.div);
  }

  unmount() {
    this.#mounting = undefined;
    this.#view.disconnect();
    this.#element?.destroy();
    this.#element = this.#offered = undefined;
    this.#isAvailable = this.#isShown = false;
    this.#place.detach();
    this.#opened.show({ wallet: undefined });
  }

  /**
   * Makes room for the buttons. It is called when this moves nothing that the donor is looking at: either the
   * buttons are below the visible part, or the donor has just chosen an amount or a frequency above them.
   */
  show() {
    if (!this.#isAvailable || this.#isShown) return;
    this.#isShown = true;
    this.#view.disconnect();
    this.#opened.show({ wallet: this.#render() });
  }

  #render() {
    return html`<div class=${this.#isShown ? 'wallet' : 'wallet waiting'}>
      <slot name="${this.#opened.slot}-wallet"></slot>
    </div>`;
  }

  #watchPlace() {
    const place = this.#opened.host.renderRoot.querySelector('.wallet');
    if (place) this.#view.observe(place);
  }

  readonly #open = async (event: ClickEvent) => {
    this.#offered = undefined;
    if (!this.#actions.mayOpen()) return event.reject();
    const { draft } = this.#opened;
    const offered = giftOf(draft);
    const late = new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(true), RESOLVE_WITHIN_MS);
    });
    const isLate = await Promise.race([this.#actions.whenUpdated().then(() => false), late]);
    if (isLate || !isSameGift(offered, giftOf(draft))) return event.reject();
    this.#offered = offered;
    event.resolve(this.#recurring(offered));
  };

  /** Apple Pay tells a donor of a recurring donation how much will be charged, and how often. */
  #recurring({ amount_cents: amount, frequency = 'one_time' }: CreatePaymentIntent) {
    const interval = INTERVALS[frequency];
    if (!interval) return {};
    const { draft, session, name } = this.#opened;
    const label = draft.texts[frequency];
    const [recurringPaymentIntervalUnit, recurringPaymentIntervalCount] = interval;
    const details: ClickResolveDetails = {
      applePay: {
        recurringPaymentRequest: {
          paymentDescription: label,
          managementURL: `${session.server}/embed/${encodeURIComponent(name ?? 'default')}`,
          regularBilling: {
            amount,
            label,
            recurringPaymentIntervalUnit,
            recurringPaymentIntervalCount,
          },
        },
      },
    };
    return details;
  }

  readonly #confirm = async (event: ConfirmEvent) => {
    const { draft, host } = this.#opened;
    const offered = this.#offered;
    this.#offered = undefined;
    if (!offered || !isSameGift(offered, giftOf(draft))) return event.paymentFailed();
    const { name, email } = event.billingDetails ?? {};
    draft.set({ ...(name && { name }), ...(email && { email }) });
    host.requestUpdate();
    if (!(await this.#actions.pay())) event.paymentFailed();
  };
}

const INTERVALS: Partial<Record<Frequency, ['month' | 'year', number]>> = {
  monthly: ['month', 1],
  quarterly: ['month', 3],
  yearly: ['year', 1],
};

/** The same donation, whoever gives it. */
const isSameGift = (one: CreatePaymentIntent, other: CreatePaymentIntent) =>
  one.amount_cents === other.amount_cents &&
  one.frequency === other.frequency &&
  one.fee_cover_cents === other.fee_cover_cents;
