import type { ReactiveController } from 'lit';
import { textsOf } from './messages/donation-flow.ts';
import type { FormContext } from './form-context.ts';
import type { Outcome } from './payment-outcome.ts';
import type { Payment } from './payment.ts';

interface Actions {
  /** Fetches the card form again where it could not be loaded. */
  retryCard: () => void;
  announce: (text: string) => void;
  applyOutcome: (outcome: Outcome) => void;
  /** Counts the tries of the page: a late answer belongs to none that is the latest. */
  startAttempt: () => number;
  isLatest: (round: number) => boolean;
}

/** The connection is lost and comes back, or the browser shows the page as it was left. */
export class Reconnection implements ReactiveController {
  readonly #context: FormContext;
  readonly #payment: Payment;
  readonly #actions: Actions;

  constructor(context: FormContext, payment: Payment, on: Actions) {
    this.#context = context;
    this.#payment = payment;
    this.#actions = on;
    context.host.addController(this);
  }

  hostConnected() {
    for (const type of CONNECTION_EVENTS)
      window.addEventListener(type, this.#handleConnectionChange);
    window.addEventListener('pageshow', this.#handlePageShow);
  }

  hostDisconnected() {
    for (const type of CONNECTION_EVENTS)
      window.removeEventListener(type, this.#handleConnectionChange);
    window.removeEventListener('pageshow', this.#handlePageShow);
  }

  /** Says when the line is gone, and goes on where it can when it is back. */
  readonly #handleConnectionChange = async () => {
    const online = navigator.onLine;
    if (online) this.#actions.retryCard();
    if (this.#context.viewState.status !== 'ready') return;
    const texts = textsOf(this.#context.draft);
    this.#actions.announce(online ? texts.backOnline : texts.stillOffline);
    const outcome = online ? await this.#payment.checkUnknown() : undefined;
    if (outcome && this.#context.viewState.status === 'ready') this.#actions.applyOutcome(outcome);
  };

  /** The browser shows the page as it was left, on the way to a bank: what is true now? */
  readonly #handlePageShow = async (event: PageTransitionEvent) => {
    if (!event.persisted || this.#context.viewState.status !== 'giving') return;
    const resumed = this.#payment.resumeAfterReturn();
    if (!resumed) return; // Nothing was charged yet: the press goes on, or fails, by itself.
    const round = this.#actions.startAttempt();
    const outcome = await resumed;
    if (this.#actions.isLatest(round)) this.#actions.applyOutcome(outcome);
  };
}

const CONNECTION_EVENTS = ['online', 'offline'] as const;
