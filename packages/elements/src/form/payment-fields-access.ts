import { renderEditorNote } from './banner-view.ts';
import type { PaymentFields } from './payment-fields.ts';
import type { FlowContext } from './flow-context.ts';
import { isEditable } from './form-state.ts';
import { isInEditor } from './is-in-editor.ts';
import { focusAfterRender } from './problem-summary.ts';

/** Loads the payment fields when a donor first needs them, and moves the focus to them. */
export class PaymentFieldsAccess {
  readonly #context: FlowContext;
  readonly #paymentFields: PaymentFields;

  constructor(context: FlowContext, paymentFields: PaymentFields) {
    this.#context = context;
    this.#paymentFields = paymentFields;
    if (isInEditor(context.host))
      context.setViewState({ paymentError: renderEditorNote(context.language.messages) });
  }

  load() {
    if (!isInEditor(this.#context.host)) this.#paymentFields.load(this.amount);
  }

  /**
   * Loads Stripe's script and the payment fields on the donor's first input, unless they are already
   * loading.
   */
  loadOnce() {
    if (isEditable(this.#context.viewState.state) && this.#paymentFields.status === 'idle')
      this.load();
  }

  /**
   * Moves the focus to the payment fields after a click on their placeholder, unless the donor has
   * moved on to another field meanwhile.
   */
  async focusUnlessTyping() {
    this.loadOnce();
    const isDrawn = await this.#paymentFields.whenReady();
    const { activeElement } = this.#context.host.shadowRoot!;
    if (!activeElement?.matches('input, select, textarea')) this.#focus(isDrawn);
  }

  /** Moves the focus to the payment fields. Called by the link in the error summary. */
  async focus() {
    this.loadOnce();
    this.#focus(await this.#paymentFields.whenReady());
  }

  /** The amount and frequency that Stripe's fields need before the donation is submitted. */
  get amount() {
    const { totalCents, values } = this.#context.draft;
    return { amountCents: totalCents, frequency: values.frequency };
  }

  /** Moves the focus to the payment fields, or to the error message if they could not be loaded. */
  #focus(isDrawn: boolean) {
    // The fields are hidden until they are rendered as ready.
    if (isDrawn) void this.#context.host.updateComplete.then(() => this.#paymentFields.focus());
    else focusAfterRender(this.#context, '.payment-error');
  }
}
