import type { ReactiveController } from 'lit';
import type { Language } from './language.ts';
import type { DonateTexts } from './messages/form-texts.ts';
import type { OpenedForm } from './opened-form.ts';

/**
 * Lets in words that came later than the form: `language.ts` keeps them back for as long as a donor
 * is in its fields, so that nothing turns under their hands. docs/decisions/0075-words-that-come-late.md
 */
export class LateWords implements ReactiveController {
  readonly #opened: OpenedForm;

  constructor(opened: OpenedForm) {
    this.#opened = opened;
    opened.host.addController(this);
  }

  hostConnected() {
    this.#opened.host.addEventListener('focusout', this.#left);
    window.addEventListener('focus', this.#left);
  }

  hostDisconnected() {
    this.#opened.host.removeEventListener('focusout', this.#left);
    window.removeEventListener('focus', this.#left);
  }

  /** A step is done, and what is said of it comes next: it is said in the words that came. */
  take() {
    (this.#opened.draft.wording as Language<DonateTexts>).late?.();
  }

  /** Looked at a moment after: between two fields, or a frame and a field, the focus is nowhere. */
  readonly #left = () => setTimeout(() => this.#opened.host.requestUpdate());
}
