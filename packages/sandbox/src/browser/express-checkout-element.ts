import type { Fields } from './api.ts';
import { IntegrationError } from './integration-error.ts';
import { MountableElement } from './mountable-element.ts';
import { type WalletSheetResult, WalletSheet, createButton } from './wallet-sheet.ts';

/** Stripe opens no sheet for a click that the page resolves later. */
const RESOLVE_WITHIN_MS = 1000;

const WALLET_NAMES: Readonly<Record<string, { key: string; label: string }>> = {
  apple_pay: { key: 'applePay', label: 'Apple Pay' },
  google_pay: { key: 'googlePay', label: 'Google Pay' },
  link: { key: 'link', label: 'Link' },
};

/**
 * The wallets of this browser. A page or a test names them before the script loads, for example
 * `window.sandboxWallets = ['apple_pay', 'google_pay', 'link']`; otherwise there are none.
 *
 * The simulated wallet sheet is a dialog of the page. It shows the amount of `elements()` at that moment,
 * and offers a card that is charged and one that is declined.
 */
const availableWallets = () =>
  ((window as { sandboxWallets?: string[] }).sandboxWallets ?? []).filter(
    (name) => WALLET_NAMES[name],
  );

export type ExpressOptions = {
  emailRequired?: boolean;
  billingAddressRequired?: boolean;
  buttonHeight?: number;
};

/** What the page answers a click with. */
type ClickResolution = {
  applePay?: {
    recurringPaymentRequest?: {
      managementURL?: string;
      regularBilling?: { amount: number; label: string };
    };
  };
};

/** What `elements.create('expressCheckout')` gives to the page. */
export class ExpressCheckoutElement extends MountableElement {
  /** What the wallet pays with, from the donor's consent in its sheet until the payment's end. */
  pending: { wallet: string; paymentMethod: Fields } | undefined;
  readonly #options: ExpressOptions;
  readonly #total: () => string;
  #sheet: WalletSheet | undefined;

  constructor(options: ExpressOptions, total: () => string, onDestroyed: () => void) {
    super('expressCheckout', onDestroyed);
    this.#options = options;
    this.#total = total;
  }

  protected override attach(container: Element) {
    const wallets = availableWallets();
    const buttons = wallets.map((wallet) => {
      const button = createButton(`Donate with ${WALLET_NAMES[wallet]!.label}`, () =>
        this.#press(wallet),
      );
      button.style.cssText = `display:block;width:100%;margin-bottom:8px;height:${this.#options.buttonHeight ?? 44}px;background:#000;color:#fff;border:0;border-radius:8px;font:600 16px sans-serif`;
      return button;
    });
    container.replaceChildren(...buttons);
    const keys = Object.values(WALLET_NAMES).map(({ key }) => key);
    const here = wallets.map((wallet) => WALLET_NAMES[wallet]!.key);
    const methods = Object.fromEntries(keys.map((key) => [key, here.includes(key)]));
    const availablePaymentMethods = wallets.length ? methods : undefined;
    setTimeout(() => this.dispatch('ready', { availablePaymentMethods }));
  }

  protected override detach(container: Element | null) {
    container?.replaceChildren();
    this.finish();
  }

  update(options: ExpressOptions) {
    Object.assign(this.#options, options);
    return this;
  }

  /** The payment has ended, or will not be: the sheet goes. */
  finish() {
    this.#sheet?.close();
    this.#sheet = this.pending = undefined;
  }

  #press(wallet: string) {
    let isAnswered = false;
    const response = (open: (details?: ClickResolution) => void) => (details?: ClickResolution) => {
      if (isAnswered) return;
      isAnswered = true;
      clearTimeout(timer);
      open(details);
    };
    const timer = setTimeout(() => {
      isAnswered = true;
      throw new IntegrationError(
        'The click event of the Express Checkout Element must be resolved within 1 second.',
      );
    }, RESOLVE_WITHIN_MS);
    this.dispatch('click', {
      expressPaymentType: wallet,
      resolve: response((details = {}) => this.#open(wallet, details)),
      reject: response(() => {}),
    });
  }

  #open(wallet: string, { applePay }: ClickResolution) {
    const regular = applePay?.recurringPaymentRequest?.regularBilling;
    this.finish();
    this.#sheet = new WalletSheet(
      {
        title: WALLET_NAMES[wallet]!.label,
        total: this.#total(),
        note: regular ? `${regular.label}: ${regular.amount}` : 'One payment',
        asksName: this.#options.billingAddressRequired === true,
        asksEmail: this.#options.emailRequired === true,
      },
      (response) => this.#pay(wallet, response),
      () => {
        this.finish();
        this.dispatch('cancel', {});
      },
    );
  }

  #pay(wallet: string, { name, email, card }: WalletSheetResult) {
    const expires = { exp_month: '12', exp_year: '2034', cvc: '123' };
    this.pending = { wallet, paymentMethod: { type: 'card', card: { number: card, ...expires } } };
    this.dispatch('confirm', {
      expressPaymentType: wallet,
      billingDetails: { name, email, address: {} },
      paymentFailed: () => this.finish(),
    });
  }
}
