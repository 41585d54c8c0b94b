import type { ReactiveController } from 'lit';
import type { FormContext } from './form-context.ts';

/**
 * Updates the form when the donor leaves a field, because the element then applies translations that
 * have arrived meanwhile: docs/decisions/0049-languages.md
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

  /**
   * In a separate task: while the focus moves between two fields, or a field and an iframe, no
   * element has it.
   */
  readonly #handleFocusOut = () => setTimeout(() => this.#context.host.requestUpdate());
}
