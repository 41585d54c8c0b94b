import type { CreatePaymentIntent, Frequency } from '@connect-embed/contract';
import { DEFAULT_FORM } from '@connect-embed/contract/default-form';
import type {
  ClickResolveDetails,
  StripeElements,
  StripeExpressCheckoutElement,
  StripeExpressCheckoutElementClickEvent as ClickEvent,
  StripeExpressCheckoutElementConfirmEvent as ConfirmEvent,
} from '@stripe/stripe-js';
import { toDonationInput } from './validate-donation.ts';
import { MountPoint } from './mount-point.ts';
import type { FormContext } from './form-context.ts';

/** Stripe opens no sheet for a click that is not resolved within one second. */
const RESOLVE_WITHIN_MS = 900;

/** The form's functions that the wallet calls. */
interface WalletActions {
  /**
   * Validates the amount, the only field that a wallet does not provide, and shows an error if it
   * is invalid.
   */
  canOpen: () => boolean;
  /** Resolves once Stripe has applied every change of amount and frequency. */
  whenUpdated: () => Promise<unknown>;
  /** Submits the donation in the same way as a press of Give; true if it succeeded. */
  pay: () => Promise<boolean>;
}

/**
 * Apple Pay, Google Pay, Link and others: Stripe's Express Checkout Element, where the browser has one.
 *
 * It shares Stripe's `elements` object with the payment fields, so that both have the same amount. Name and
 * email come from the wallet. An open wallet sheet shows the amount at the time of the click. If the amount
 * has changed since, the donation is rejected and not charged: docs/decisions/0015-card-fields-and-wallets.md
 */
export class Wallet {
  readonly #context: FormContext;
  readonly #actions: WalletActions;
  readonly #mountPoint: MountPoint;
  #element: StripeExpressCheckoutElement | undefined;
  /** Identifies the current mount, so that an earlier one is ignored. */
  #mounting: object | undefined;
  /** The donation that the open wallet sheet shows, as a request body. */
  #offeredDonation: CreatePaymentIntent | undefined;

  constructor(context: FormContext, actions: WalletActions) {
    this.#context = context;
    this.#actions = actions;
    this.#mountPoint = new MountPoint(`${context.slot}-wallet`, this.#collapse);
  }

  /** Mounts the wallet buttons with the `elements` object of the payment fields. */
  async mount(elements: StripeElements) {
    const { host, draft, setViewState } = this.#context;
    const mounting = (this.#mounting = {});
    setViewState({ wallet: 'loading' });
    await host.updateComplete;
    if (mounting !== this.#mounting) return; // The payment fields were removed or mounted again meanwhile.
    this.#mountPoint.attach(host);
    const { organization } = draft.form;
    const element = elements.create('expressCheckout', {
      business: { name: organization.name },
      billingAddressRequired: true, // The name is part of the billing address.
      emailRequired: true,
      // PayPal is in the list of payment methods, which says more about it than a button.
      paymentMethods: { paypal: 'never' },
      buttonHeight: 48,
      // One row, whose space the form keeps from the first drawing on.
      layout: { maxRows: 1 },
      buttonType: { applePay: 'donate', googlePay: 'donate' },
    });
    this.#element = element;
    element.on('ready', ({ availablePaymentMethods: methods }) => {
      if (Object.values(methods ?? {}).includes(true)) setViewState({ wallet: 'ready' });
      else void this.#collapse();
    });
    element.on('loaderror', this.#collapse);
    element.on('escape', () => host.close());
    element.on('click', this.#handleClick);
    element.on('cancel', () => (this.#offeredDonation = undefined));
    element.on('confirm', this.#handleConfirm);
    element.mount(this.#mountPoint.div);
  }

  unmount() {
    this.#mounting = undefined;
    this.#element?.destroy();
    this.#element = this.#offeredDonation = undefined;
    this.#mountPoint.detach();
    const { setViewState, viewState } = this.#context;
    if (viewState.wallet === 'ready') setViewState({ wallet: 'loading' });
  }

  /**
   * Collapses the row of buttons, because there is no wallet, and scrolls by its height, so that the field with the
   * focus keeps its position in the viewport. While no field has the focus, or the page cannot scroll that far, the
   * row stays empty. The next change of focus tries again.
   */
  readonly #collapse = async () => {
    this.unmount();
    const { host, releaseHeight, setViewState, signal } = this.#context;
    const root = host.shadowRoot!;
    const row = root.querySelector('.wallet');
    const field = root.activeElement ?? root.querySelector('.payment');
    const scroller = root.querySelector('dialog') ?? document.scrollingElement;
    if (!row || !field || !scroller) return;
    const top = (element: Element) => element.getBoundingClientRect().top;
    const before = top(field);
    const space = top(root.querySelector('.or + *')!) - top(row);
    const fits = before < top(row) || scroller.scrollTop >= space;
    if (!host.matches(':focus-within') || !fits) {
      setViewState({ wallet: 'empty' });
      const retry = () => this.#element || void this.#collapse();
      // At the host, a change of focus within the shadow root is no event.
      root.addEventListener('focusin', retry, { once: true, signal });
      return;
    }
    setViewState({ wallet: 'none' });
    releaseHeight();
    await host.updateComplete;
    scroller.scrollBy({ top: top(field) - before, behavior: 'instant' });
  };

  readonly #handleClick = async (event: ClickEvent) => {
    this.#offeredDonation = undefined;
    if (!this.#actions.canOpen()) return event.reject();
    const { draft } = this.#context;
    const offered = toDonationInput(draft);
    const timeout = new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(true), RESOLVE_WITHIN_MS);
    });
    const timedOut = await Promise.race([this.#actions.whenUpdated().then(() => false), timeout]);
    if (timedOut || !isSameDonation(offered, toDonationInput(draft))) return event.reject();
    this.#offeredDonation = offered;
    event.resolve(this.#recurringDetails(offered));
  };

  /** Details of a recurring donation, which Apple Pay shows in its sheet: amount and interval. */
  #recurringDetails({ amount_cents: amount, frequency = 'one_time' }: CreatePaymentIntent) {
    const interval = INTERVALS[frequency];
    if (!interval) return {};
    const { draft, server, name } = this.#context;
    const label = draft.messages[frequency];
    const [recurringPaymentIntervalUnit, recurringPaymentIntervalCount] = interval;
    const details: ClickResolveDetails = {
      applePay: {
        recurringPaymentRequest: {
          paymentDescription: label,
          managementURL: `${server}/embed/${encodeURIComponent(name ?? DEFAULT_FORM)}`,
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

  readonly #handleConfirm = async (event: ConfirmEvent) => {
    const { draft, host } = this.#context;
    const offered = this.#offeredDonation;
    this.#offeredDonation = undefined;
    if (!offered || !isSameDonation(offered, toDonationInput(draft))) return event.paymentFailed();
    const { name, email } = event.billingDetails ?? {};
    draft.update({ ...(name && { name }), ...(email && { email }) });
    host.requestUpdate();
    if (!(await this.#actions.pay())) event.paymentFailed();
  };
}

const INTERVALS: Partial<Record<Frequency, ['month' | 'year', number]>> = {
  monthly: ['month', 1],
  quarterly: ['month', 3],
  yearly: ['year', 1],
};

/** Compares amount, frequency and fee, but not the donor. */
const isSameDonation = (one: CreatePaymentIntent, other: CreatePaymentIntent) =>
  one.amount_cents === other.amount_cents &&
  one.frequency === other.frequency &&
  one.fee_cover_cents === other.fee_cover_cents;
