import { interpolate } from '@connect-embed/contract/interpolate';
import { DEBIT_BUSINESS_DAYS, isDebit } from '@connect-embed/contract/payment-method';
import { renderPaymentFieldsError, renderPaymentFieldsNote } from './banner-view.ts';
import type { FlowContext } from './flow-context.ts';
import type { PaymentFieldsStatus } from './form-context.ts';
import { isEditable } from './form-state.ts';

/** After this time the donor sees that loading takes longer than usual. */
export const SLOW_MS = 6000;

interface Handlers {
  retry: () => void;
  /** Returns the announcement to restore after the one about the payment fields. */
  persistentAnnouncement: () => string;
  /** Called when the selected payment method changes the total. */
  totalChanged: () => void;
}

/** Shows the status of the payment fields: loading, slow, ready or blocked, and what the selected method means. */
export class PaymentLoadingView {
  readonly #context: FlowContext;
  readonly #handlers: Handlers;
  #slowTimer: ReturnType<typeof setTimeout> | undefined;
  #shownText = '';
  /** The selected payment method. */
  #method = 'card';

  constructor(context: FlowContext, on: Handlers) {
    this.#context = context;
    this.#handlers = on;
  }

  readonly show = (status: PaymentFieldsStatus) => {
    const { dispatch, setViewState, session, language } = this.#context;
    const { messages } = language;
    const paymentError =
      status === 'blocked'
        ? renderPaymentFieldsError(messages, session.current?.embed_url, this.#handlers.retry)
        : undefined;
    setViewState({ paymentFields: status, paymentError });
    dispatch({ type: status === 'blocked' ? 'blocked' : 'unblocked' });
    this.#setMethod('card'); // Fields that are mounted again have selected it.
    this.stop();
    if (status !== 'loading') return this.#showStatus('');
    this.#showStatus(messages.loadingCard);
    this.#slowTimer = setTimeout(() => this.#showStatus(language.messages.slowCard), SLOW_MS);
  };

  /** Shows the texts again in another language. */
  translate(status: PaymentFieldsStatus) {
    if (status === 'blocked') this.show(status);
    if (status === 'ready') this.showMethod(this.#method);
  }

  /**
   * Shows below the fields when the money arrives, if the donor has selected a bank debit, and that the fee which the
   * donor has chosen to cover is not added.
   */
  readonly showMethod = (type: string) => {
    this.#setMethod(type);
    const { draft, language } = this.#context;
    const { debitHint, debitFee } = language.messages;
    const days = isDebit(type) && DEBIT_BUSINESS_DAYS[type].toLocaleString(draft.language);
    const hint = days ? interpolate(debitHint, { days }) : '';
    const text = hint && draft.values.coverFee ? `${hint} ${debitFee}` : hint;
    if (text !== this.#shownText) this.#showStatus(text, false);
  };

  #setMethod(type: string) {
    this.#method = type;
    const { draft, host } = this.#context;
    if (draft.isDebit === isDebit(type)) return;
    draft.isDebit = isDebit(type);
    host.requestUpdate();
    this.#handlers.totalChanged();
  }

  /** Cancels the message about slow loading. */
  stop() {
    clearTimeout(this.#slowTimer);
  }

  /**
   * Shows a text below the payment fields or their placeholder. Screen readers announce it unless a
   * donation is being submitted.
   */
  #showStatus(text: string, isBusy = true) {
    const { setViewState, viewState } = this.#context;
    this.#shownText = text;
    setViewState({ paymentNote: text ? renderPaymentFieldsNote(text, isBusy) : undefined });
    if (isEditable(viewState.state) && !viewState.buttonStatus)
      setViewState({ announcement: text || this.#handlers.persistentAnnouncement() });
  }
}
