import type { ReactiveController } from 'lit';
import type { FlowContext } from './flow-context.ts';
import { isEditable } from './form-state.ts';
import type { Outcome } from './payment-outcome.ts';
import type { Payment } from './payment.ts';

interface Actions {
  /** Loads the payment fields again if they could not be loaded. */
  retryPaymentFields: () => void;
  announce: (text: string) => void;
  applyOutcome: (outcome: Outcome) => void;
}

/**
 * Handles a restored network connection, and pages that the browser restores from its back/forward
 * cache.
 */
export class Reconnection implements ReactiveController {
  readonly #context: FlowContext;
  readonly #payment: Payment;
  readonly #actions: Actions;

  constructor(context: FlowContext, payment: Payment, on: Actions) {
    this.#context = context;
    this.#payment = payment;
    this.#actions = on;
    context.host.addController(this);
  }

  hostConnected() {
    window.addEventListener('online', this.#handleOnline);
    window.addEventListener('pageshow', this.#handlePageShow);
  }

  hostDisconnected() {
    window.removeEventListener('online', this.#handleOnline);
    window.removeEventListener('pageshow', this.#handlePageShow);
  }

  /**
   * Announces that the browser is online again, retries the payment fields and looks up an unknown outcome.
   *
   * There is no such message when it goes offline: some VPNs look offline and are not, so only a failed
   * request says so.
   */
  readonly #handleOnline = async () => {
    this.#actions.retryPaymentFields();
    if (!isEditable(this.#context.viewState.state)) return;
    this.#actions.announce(this.#context.language.messages.backOnline);
    const outcome = await this.#payment.checkUnknown();
    if (outcome && isEditable(this.#context.viewState.state)) this.#actions.applyOutcome(outcome);
  };

  /**
   * Looks up the outcome when the page is restored from the back/forward cache during a payment,
   * usually after the donor went to a bank and pressed Back.
   */
  readonly #handlePageShow = async (event: PageTransitionEvent) => {
    if (!event.persisted || this.#context.viewState.state.status !== 'submitting') return;
    const resumed = this.#payment.resumeAfterReturn();
    // There is no intent yet, so nothing was charged, and the pending submission continues or
    // fails.
    if (!resumed) return;
    const attempt = this.#context.dispatch({ type: 'resumed' });
    const outcome = await resumed;
    if (this.#context.viewState.state === attempt) this.#actions.applyOutcome(outcome);
  };
}
