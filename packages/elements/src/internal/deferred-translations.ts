import type { ReactiveController } from 'lit';
import type { Language } from './language.ts';
import type { DonateTexts } from './messages/form-texts.ts';
import type { FormContext } from './form-context.ts';

/**
 * Lets in words that came later than the form: `language.ts` keeps them back for as long as a donor
 * is in its fields, so that nothing turns under their hands. docs/decisions/0075-words-that-come-late.md
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

  /** A step is done, and what is said of it comes next: it is said in the words that came. */
  apply() {
    (this.#context.draft.formLanguage as Language<DonateTexts>).applyDeferred?.();
  }

  /** Looked at a moment after: between two fields, or a frame and a field, the focus is nowhere. */
  readonly #handleFocusOut = () => setTimeout(() => this.#context.host.requestUpdate());
}
