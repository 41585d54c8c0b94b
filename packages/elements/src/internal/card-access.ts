import type { CardFields } from './card-fields.ts';
import type { FormContext } from './form-context.ts';
import { focusAfterRender } from './problem-summary.ts';

/** Loads the card's fields when a donor first needs them, and moves the focus to them. */
export class CardAccess {
  readonly #context: FormContext;
  readonly #cardFields: CardFields;

  constructor(context: FormContext, cardFields: CardFields) {
    this.#context = context;
    this.#cardFields = cardFields;
  }

  load() {
    return this.#cardFields.load(this.amount);
  }

  /** The donor's first input loads the processor's script; nothing does before, unless asked to. */
  loadOnce() {
    const { status } = this.#context.viewState;
    if (status === 'ready' && this.#cardFields.status === 'idle') void this.load();
  }

  /** After a press where the fields will be. A donor who went on to another field keeps the focus there. */
  async focusUnlessTyping() {
    this.loadOnce();
    const isDrawn = await this.#cardFields.whenReady();
    const { activeElement } = this.#context.host.shadowRoot!;
    if (!activeElement?.matches('input, select, textarea')) this.#focus(isDrawn);
  }

  /** From the list of what is missing. */
  async focus() {
    this.loadOnce();
    this.#focus(await this.#cardFields.whenReady());
  }

  /** What the processor needs to know of the donation before it is submitted. */
  get amount() {
    const { totalCents, values } = this.#context.draft;
    return { amountCents: totalCents, frequency: values.frequency };
  }

  /** Where the fields could not be drawn, to the message that says why. */
  #focus(isDrawn: boolean) {
    if (isDrawn) this.#cardFields.focus();
    else focusAfterRender(this.#context, '.blocked');
  }
}
