import { ConnectEvent } from './events.ts';

/** The donation that is entered in the form. */
export interface DonationDetail {
  /** In minor units; undefined as long as the donor has not chosen an amount. */
  amountCents: number | undefined;
  /** ISO 4217 in lower case. */
  currency: string;
}

/** Dispatched when the donation in the form changes. It contains no names and no email addresses. */
export class ConnectChangeEvent extends ConnectEvent implements DonationDetail {
  readonly amountCents: number | undefined;
  readonly currency: string;
  /**
   * True if all of our own fields are filled in. The card fields are not included: Stripe validates
   * them.
   */
  readonly complete: boolean;
  constructor({ amountCents, currency }: DonationDetail, complete: boolean) {
    super('connect-change');
    this.amountCents = amountCents;
    this.currency = currency;
    this.complete = complete;
  }
}

/**
 * Dispatched when the donor presses Give and the form is complete. `preventDefault()` stops the
 * donation before a payment intent is created.
 */
export class ConnectConfirmEvent extends ConnectEvent {
  readonly amountCents: number;
  readonly currency: string;
  constructor(amountCents: number, currency: string) {
    super('connect-confirm', true);
    this.amountCents = amountCents;
    this.currency = currency;
  }
}

/**
 * Dispatched when Stripe has confirmed the payment. The donation itself is recorded when Stripe's
 * webhook event arrives at the API.
 */
export class ConnectSuccessEvent extends ConnectEvent {
  readonly paymentIntentId: string;
  readonly amountCents: number;
  readonly currency: string;
  /** True if the bank is still processing the payment. */
  readonly pending: boolean;
  constructor(paymentIntentId: string, amountCents: number, currency: string, pending: boolean) {
    super('connect-success');
    this.paymentIntentId = paymentIntentId;
    this.amountCents = amountCents;
    this.currency = currency;
    this.pending = pending;
  }
}

/**
 * Dispatched when a donation fails. The donor's input is kept. `code` is Stripe's error code, or an
 * empty string.
 */
export class ConnectErrorEvent extends ConnectEvent {
  readonly error: unknown;
  readonly code: string;
  constructor(error: unknown, code = '') {
    super('connect-error');
    this.error = error;
    this.code = code;
  }
}

declare global {
  interface HTMLElementEventMap {
    'connect-change': ConnectChangeEvent;
    'connect-confirm': ConnectConfirmEvent;
    'connect-success': ConnectSuccessEvent;
    'connect-error': ConnectErrorEvent;
  }
}
