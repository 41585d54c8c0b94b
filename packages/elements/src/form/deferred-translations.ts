import type { ReactiveController } from '../shared/connect-element.ts';
import type { Language } from '../shared/language.ts';
import type { DonateMessages } from '../shared/message-types.ts';
import type { FormContext } from './form-context.ts';

/**
 * Applies translations that arrive after the form is drawn in English. `language.ts` defers them
 * while the donor is in a field of the form, so that the text does not change during input.
 * docs/decisions/0049-languages.md
 */
export class DeferredTranslations implements ReactiveController {
  readonly #context: FormContext;

  constructor(context: FormContext) {
    this.#context = context;
    context.host.addController(this);
  }

  hostConnected() {
    this.#context.host.addEventListener('focusout', this.#handleFocusOut);
    window.addEventListener('focus', this.#handleFocusOut);
  }

  hostDisconnected() {
    this.#context.host.removeEventListener('focusout', this.#handleFocusOut);
    window.removeEventListener('focus', this.#handleFocusOut);
  }

  /** Applies the deferred translations now, before a result is shown. */
  apply() {
    (this.#context.draft.formLanguage as Language<DonateMessages>).applyDeferred?.();
  }

  /**
   * In a separate task: while the focus moves between two fields, or a field and an iframe, no
   * element has it.
   */
  readonly #handleFocusOut = () => setTimeout(() => this.#context.host.requestUpdate());
}
