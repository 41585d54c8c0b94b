import { interpolate } from '@connect-embed/contract/interpolate';
import { SLOW_MS } from './payment-loading-view.ts';
import type { FlowContext } from './flow-context.ts';

/** Shows the progress of a submission: on the button, below it, and to screen readers. */
export class SubmitProgress {
  readonly #context: FlowContext;
  #buttonStatus = '';
  #slowTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(context: FlowContext) {
    this.#context = context;
  }

  /** Shows that the payment has been sent, and after a while that it takes longer than usual. */
  start() {
    const { draft, language, setViewState } = this.#context;
    const { giving, connecting, pleaseWait } = language.messages;
    this.#buttonStatus = interpolate(giving, { amount: draft.formatMoney(draft.totalCents ?? 0) });
    setViewState({
      buttonStatus: this.#buttonStatus,
      progress: connecting,
      announcement: pleaseWait,
      banner: undefined,
    });
    this.stop();
    this.#slowTimer = setTimeout(() => {
      const { stillWorking } = language.messages;
      if (this.#context.viewState.progress === connecting)
        setViewState({ progress: stillWorking, announcement: stillWorking });
    }, SLOW_MS);
  }

  /** Shows that Stripe confirms the payment, after a security check has changed the button. */
  confirm() {
    const { language, setViewState } = this.#context;
    setViewState({ buttonStatus: this.#buttonStatus, progress: language.messages.pleaseWait });
  }

  stop() {
    clearTimeout(this.#slowTimer);
  }
}
