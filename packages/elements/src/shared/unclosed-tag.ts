import type { ReactiveController, ReactiveControllerHost } from 'lit';

/**
 * Keeps the page visible where a tag was written as `<connect-donate />`.
 *
 * HTML ignores the slash, so the rest of the parent becomes content of the element, which shows none. The
 * code for that is loaded when it is needed, because few elements have content.
 */
export class UnclosedTag implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    // Only a parser reads HTML: an element that a framework creates is not in the page yet.
    if (host.isConnected || document.readyState === 'loading') host.addController(this);
  }

  hostConnected() {
    if (document.readyState !== 'loading') this.#check();
    else document.addEventListener('DOMContentLoaded', this.#check, { once: true });
  }

  readonly #check = () => {
    if (!this.#host.firstElementChild) return;
    import('./rest-of-page.ts').then(
      ({ releaseRestOfPage }) => releaseRestOfPage(this.#host),
      () => {}, // The page then looks as the browser has read it.
    );
  };
}
