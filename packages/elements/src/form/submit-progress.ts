import { interpolate } from '@connect-embed/contract/interpolate';
import { SLOW_MS } from './card-loading-view.ts';
import type { FormContext } from './form-context.ts';
import { messagesOf } from './form-messages.ts';

/** Shows the progress of a submission: on the button, below it, and to screen readers. */
export class SubmitProgress {
  readonly #context: FormContext;
  #buttonStatus = '';
  #slowTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(context: FormContext) {
    this.#context = context;
  }

  /** Shows that the payment has been sent, and after a while that it takes longer than usual. */
  start() {
    const { draft, setViewState } = this.#context;
    const { giving, connecting, pleaseWait } = messagesOf(draft);
    this.#buttonStatus = interpolate(giving, { amount: draft.formatMoney(draft.totalCents ?? 0) });
    setViewState({
      buttonStatus: this.#buttonStatus,
      progress: connecting,
      announcement: pleaseWait,
      banner: undefined,
    });
    this.#slowTimer = setTimeout(() => {
      const { stillWorking } = messagesOf(draft);
      if (this.#context.viewState.progress === connecting)
        setViewState({ progress: stillWorking, announcement: stillWorking });
    }, SLOW_MS);
  }

  /** Shows that Stripe confirms the payment, after a security check has changed the button. */
  confirm() {
    const { draft, setViewState } = this.#context;
    setViewState({ buttonStatus: this.#buttonStatus, progress: messagesOf(draft).pleaseWait });
  }

  stop() {
    clearTimeout(this.#slowTimer);
  }
}
