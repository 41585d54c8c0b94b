import { html, type ReactiveController } from 'lit';
import { interpolate } from '@connect-embed/contract/interpolate';
import type { FlowContext } from './flow-context.ts';
import { isEditable } from './form-state.ts';
import { findIntendedAddress } from './mistyped-domain.ts';
import { focusAfterRender } from './problem-summary.ts';

/**
 * Suggests another email address below the field when the donor has left it and the domain looks mistyped. The
 * receipt would otherwise reach nobody, or a stranger. The donor need not respond.
 */
export class EmailSuggestion implements ReactiveController {
  readonly #context: FlowContext;
  /** Whether a mouse button is down, or a finger on the screen. */
  #isPressing = false;
  /** Whether the donor has left the field since the suggestion was last updated. */
  #isDue = false;

  constructor(context: FlowContext) {
    this.#context = context;
    context.host.addController(this);
  }

  hostConnected() {
    this.#root.addEventListener('change', this.#handleChange);
    this.#root.addEventListener('input', this.#handleInput);
    for (const type of PRESS_EVENTS) addEventListener(type, this.#handlePress, true);
  }

  hostDisconnected() {
    this.#root.removeEventListener('change', this.#handleChange);
    this.#root.removeEventListener('input', this.#handleInput);
    for (const type of PRESS_EVENTS) removeEventListener(type, this.#handlePress, true);
  }

  /** Shows the suggestion again, such as in another language. */
  update() {
    const { draft, language, setViewState, viewState } = this.#context;
    const address = isEditable(viewState.state) && findIntendedAddress(draft.values.email.trim());
    if (!address) return setViewState({ suggestions: undefined });
    const text = interpolate(language.messages.didYouMean, { email: address });
    setViewState({
      announcement: text,
      suggestions: {
        email: html`<p class="hint" id="email-suggestion">
          <button type="button" class="link" @click=${() => this.#accept(address)}>${text}</button>
        </p>`,
      },
    });
  }

  get #root() {
    return this.#context.host.renderRoot;
  }

  readonly #handleChange = ({ target }: Event) => {
    if ((target as Element).id !== 'email') return;
    this.#isDue = true;
    this.#updateAfterPress();
  };

  /** A suggestion for what the donor has typed before is of no use. */
  readonly #handleInput = ({ target }: Event) => {
    const { viewState, setViewState } = this.#context;
    if ((target as Element).id === 'email' && viewState.suggestions)
      setViewState({ suggestions: undefined, announcement: '' });
  };

  readonly #handlePress = ({ type }: Event) => {
    this.#isPressing = type === 'pointerdown';
    this.#updateAfterPress();
  };

  /** A press that leaves the field must reach what it is on, which the suggestion would move away before the click. */
  #updateAfterPress() {
    setTimeout(() => {
      if (!this.#isDue || this.#isPressing) return;
      this.#isDue = false;
      this.update();
    });
  }

  #accept(address: string) {
    const field = this.#root.querySelector<HTMLInputElement>('#email')!;
    field.value = address;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    focusAfterRender(this.#context, '#email');
  }
}

const PRESS_EVENTS = ['pointerdown', 'pointerup', 'pointercancel'] as const;
