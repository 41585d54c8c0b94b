import type { Fields } from './api.ts';
import { IntegrationError, MountableElement } from './mountable-element.ts';
import { type WalletSheetResult, WalletSheet, createButton } from './wallet-sheet.ts';

/**
 * Time within which the page must resolve a click, as at Stripe; otherwise no wallet sheet opens.
 */
const RESOLVE_WITHIN_MS = 1000;

const WALLET_NAMES: Readonly<Record<string, { key: string; label: string }>> = {
  apple_pay: { key: 'applePay', label: 'Apple Pay' },
  google_pay: { key: 'googlePay', label: 'Google Pay' },
  link: { key: 'link', label: 'Link' },
};

/**
 * Returns the wallets of this browser. A page or a test sets them before the script loads, for
 * example `window.sandboxWallets = ['apple_pay', 'google_pay']`. The default is Link, which Stripe offers in every
 * browser.
 *
 * The simulated wallet sheet is a dialog of the page. It shows the current amount of `elements()`,
 * and offers a card that is charged and one that is declined.
 */
const availableWallets = () =>
  ((window as { sandboxWallets?: string[] }).sandboxWallets ?? ['link']).filter(
    (name) => WALLET_NAMES[name],
  );

export type ExpressOptions = {
  emailRequired?: boolean;
  billingAddressRequired?: boolean;
  buttonHeight?: number;
};

/** The argument with which the page resolves a click. */
type ClickResolution = {
  applePay?: {
    recurringPaymentRequest?: {
      managementURL?: string;
      regularBilling?: { amount: number; label: string };
    };
  };
};

/** Simulates the Express Checkout Element of Stripe.js: buttons of simulated wallets. */
export class ExpressCheckoutElement extends MountableElement {
  /**
   * Payment method of the wallet, from the donor's approval in the sheet to the end of the payment.
   */
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
      const { label } = WALLET_NAMES[wallet]!;
      const text = wallets.length > 1 ? label : `Donate with ${label}`;
      const button = createButton(text, () => this.#handleClick(wallet));
      button.style.cssText = `flex:1;height:${this.#options.buttonHeight ?? 44}px;background:#000;color:#fff;border:0;border-radius:8px;font:600 16px sans-serif`;
      return button;
    });
    const row = document.createElement('div');
    row.style.cssText = 'display:flex;gap:8px';
    row.append(...buttons);
    container.replaceChildren(row);
    const keys = Object.values(WALLET_NAMES).map(({ key }) => key);
    const availableKeys = wallets.map((wallet) => WALLET_NAMES[wallet]!.key);
    const methods = Object.fromEntries(keys.map((key) => [key, availableKeys.includes(key)]));
    const availablePaymentMethods = wallets.length ? methods : undefined;
    setTimeout(() => this.dispatch('ready', { availablePaymentMethods }));
  }

  protected override detach(container: Element | null) {
    container?.replaceChildren();
    this.finish();
  }

  /** Closes the sheet after the payment has ended or was canceled. */
  finish() {
    this.#sheet?.close();
    this.#sheet = this.pending = undefined;
  }

  #handleClick(wallet: string) {
    let isHandled = false;
    const respondOnce =
      (open: (details?: ClickResolution) => void) => (details?: ClickResolution) => {
        if (isHandled) return;
        isHandled = true;
        clearTimeout(timer);
        open(details);
      };
    const timer = setTimeout(() => {
      isHandled = true;
      throw new IntegrationError(
        'The click event of the Express Checkout Element must be resolved within 1 second.',
      );
    }, RESOLVE_WITHIN_MS);
    this.dispatch('click', {
      expressPaymentType: wallet,
      resolve: respondOnce((details = {}) => this.#open(wallet, details)),
      reject: respondOnce(() => {}),
    });
  }

  #open(wallet: string, { applePay }: ClickResolution) {
    const regularBilling = applePay?.recurringPaymentRequest?.regularBilling;
    this.finish();
    this.#sheet = new WalletSheet(
      {
        title: WALLET_NAMES[wallet]!.label,
        total: this.#total(),
        billingDescription: regularBilling
          ? `${regularBilling.label}: ${regularBilling.amount}`
          : 'One payment',
        requiresName: this.#options.billingAddressRequired === true,
        requiresEmail: this.#options.emailRequired === true,
      },
      (respondOnce) => this.#pay(wallet, respondOnce),
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
