import { ConnectEvent } from './events.ts';

/** What a gift consists of, as it stands in the form. */
export interface DonationDetail {
  /** Whole minor units; undefined while the donor has not chosen. */
  amountCents: number | undefined;
  /** ISO 4217 in lower case. */
  currency: string;
}

/** The donor changed the gift. Names and e-mail addresses stay in the form. */
export class ConnectChangeEvent extends ConnectEvent implements DonationDetail {
  readonly amountCents: number | undefined;
  readonly currency: string;
  /** True when nothing of ours is missing; the card is the processor's to judge. */
  readonly complete: boolean;
  constructor({ amountCents, currency }: DonationDetail, complete: boolean) {
    super('connect-change');
    this.amountCents = amountCents;
    this.currency = currency;
    this.complete = complete;
  }
}

/** The donor pressed Give and all is filled in. `preventDefault()` stops before anything is made. */
export class ConnectConfirmEvent extends ConnectEvent {
  readonly amountCents: number;
  readonly currency: string;
  constructor(amountCents: number, currency: string) {
    super('connect-confirm', true);
    this.amountCents = amountCents;
    this.currency = currency;
  }
}

/** The processor took the gift. The donation itself is recorded on the processor's report. */
export class ConnectSuccessEvent extends ConnectEvent {
  readonly paymentIntentId: string;
  readonly amountCents: number;
  readonly currency: string;
  /** True when the bank is still working on it. */
  readonly pending: boolean;
  constructor(paymentIntentId: string, amountCents: number, currency: string, pending: boolean) {
    super('connect-success');
    this.paymentIntentId = paymentIntentId;
    this.amountCents = amountCents;
    this.currency = currency;
    this.pending = pending;
  }
}

/** A gift did not go through; what the donor typed is kept. `code` is the processor's, if it has one. */
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
