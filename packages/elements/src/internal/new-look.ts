import type { ReactiveController } from 'lit';
import type { OpenedForm } from './opened-form.ts';

/** By then a new look is on: `dress.ts` is fetched, and transitions of the page are over. */
const DRESSED_MS = 300;

/** The owner changes the look by script: the card's fields follow once it can be seen. */
export class NewLook implements ReactiveController {
  readonly #host: OpenedForm['host'];
  readonly #restyle: () => void;
  #theme: unknown;
  #appearance: unknown;

  constructor({ host }: OpenedForm, restyle: () => void) {
    this.#host = host;
    this.#restyle = restyle;
    this.#take();
    host.addController(this);
  }

  hostUpdated() {
    if (this.#take()) setTimeout(this.#restyle, DRESSED_MS);
  }

  /** @returns whether it is another one */
  #take(): boolean {
    const { theme, appearance } = this.#host as { theme?: unknown; appearance?: unknown };
    const same = theme === this.#theme && appearance === this.#appearance;
    this.#theme = theme;
    this.#appearance = appearance;
    return !same;
  }
}
