import { renderProblemSummary } from './banner-view.ts';
import type { PaymentFields } from './payment-fields.ts';
import type { Field, Problems } from './donation-draft.ts';
import type { FlowContext } from './flow-context.ts';
import type { FormContext } from './form-context.ts';
import { findProblems } from './validate-donation.ts';

/**
 * The error summary, with a link to each invalid field. It is above the Give button and not above the
 * form, because the form can fill a phone's screen and the donor is looking at the button.
 */
export class ProblemSummary {
  readonly #context: FlowContext;
  readonly #paymentFields: Pick<PaymentFields, 'isComplete'>;
  readonly #goToPaymentFields: () => void;

  constructor(
    context: FlowContext,
    paymentFields: Pick<PaymentFields, 'isComplete'>,
    goToPaymentFields: () => void,
  ) {
    this.#context = context;
    this.#paymentFields = paymentFields;
    this.#goToPaymentFields = goToPaymentFields;
  }

  /** All invalid or missing fields, including the payment fields. */
  get currentProblems(): Problems {
    const { draft, language } = this.#context;
    const { messages } = language;
    return {
      ...findProblems(draft, messages),
      ...(!this.#paymentFields.isComplete && { payment: messages.missingCard }),
    };
  }

  /** Removes the problems that the donor has solved. New problems are shown only after a press of Give. */
  update() {
    const { currentProblems } = this;
    const { viewState, setViewState } = this.#context;
    const shown = Object.keys(viewState.problems) as Field[];
    const problems = Object.fromEntries(
      shown.flatMap((field) => (currentProblems[field] ? [[field, currentProblems[field]]] : [])),
    ) as Problems;
    const banner = shown.length ? this.renderSummary(problems) : viewState.banner;
    setViewState({ problems, banner });
  }

  renderSummary(problems: Problems) {
    return Object.keys(problems).length
      ? renderProblemSummary(problems, this.#context.language, (field) => this.#focusField(field))
      : undefined;
  }

  /**
   * Moves the focus to a field. For an invalid amount: to the text field if the donor typed
   * something, else to the first preset.
   */
  #focusField(field: Field) {
    if (field === 'payment') return this.#goToPaymentFields();
    const { other } = this.#context.draft.values;
    const amountSelector = other ? '#other' : 'input[name=amount], #other';
    focusAfterRender(this.#context, field === 'amount' ? amountSelector : `#${field}`);
  }
}

/** Moves the focus to an element after the next render. */
export function focusAfterRender({ host }: FormContext, selector: string) {
  void host.updateComplete.then(() =>
    host.renderRoot.querySelector<HTMLElement>(selector)?.focus(),
  );
}
