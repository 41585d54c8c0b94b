import type { ReactiveController } from 'lit';
import { wordsOf } from './messages/give.ts';
import type { OpenedForm } from './opened-form.ts';
import type { Outcome } from './outcome.ts';
import type { Payment } from './payment.ts';

interface Actions {
  /** Fetches the card form again where it could not be loaded. */
  retryCard: () => void;
  inform: (text: string) => void;
  settle: (outcome: Outcome) => void;
  /** Counts the tries of the page: a late answer belongs to none that is the latest. */
  begin: () => number;
  isLatest: (round: number) => boolean;
}

/** The connection is lost and comes back, or the browser shows the page as it was left. */
export class Reconnection implements ReactiveController {
  readonly #opened: OpenedForm;
  readonly #payment: Payment;
  readonly #on: Actions;

  constructor(opened: OpenedForm, payment: Payment, on: Actions) {
    this.#opened = opened;
    this.#payment = payment;
    this.#on = on;
    opened.host.addController(this);
  }

  hostConnected() {
    for (const type of LINE_EVENTS) window.addEventListener(type, this.#lineChanged);
    window.addEventListener('pageshow', this.#shownAgain);
  }

  hostDisconnected() {
    for (const type of LINE_EVENTS) window.removeEventListener(type, this.#lineChanged);
    window.removeEventListener('pageshow', this.#shownAgain);
  }

  /** Says when the line is gone, and goes on where it can when it is back. */
  readonly #lineChanged = async () => {
    const online = navigator.onLine;
    if (online) this.#on.retryCard();
    if (this.#opened.face.status !== 'ready') return;
    const texts = wordsOf(this.#opened.draft);
    this.#on.inform(online ? texts.backOnline : texts.stillOffline);
    const outcome = online ? await this.#payment.look() : undefined;
    if (outcome && this.#opened.face.status === 'ready') this.#on.settle(outcome);
  };

  /** The browser shows the page as it was left, on the way to a bank: what is true now? */
  readonly #shownAgain = async (event: PageTransitionEvent) => {
    if (!event.persisted || this.#opened.face.status !== 'giving') return;
    const told = this.#payment.comeBack();
    if (!told) return; // Nothing was charged yet: the press goes on, or fails, by itself.
    const round = this.#on.begin();
    const outcome = await told;
    if (this.#on.isLatest(round)) this.#on.settle(outcome);
  };
}

const LINE_EVENTS = ['online', 'offline'] as const;
