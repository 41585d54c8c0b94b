import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { warnUnlessOneOf } from './warn-once.ts';

/** An element with a `theme` property. */
export interface ThemedHost extends ReactiveControllerHost, HTMLElement {
  readonly theme?: string | null;
}

/**
 * Makes an element with `theme="auto"` follow the light or dark mode of its page. The code for that is
 * loaded when it is needed, because most pages have no dark mode.
 */
export class PageTheme implements ReactiveController {
  readonly #host: ThemedHost;
  #isLoading = false;

  constructor(host: ThemedHost) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdated() {
    warnUnlessOneOf(this.#host, 'theme', ['light', 'dark', 'auto']);
    if (this.#host.theme !== 'auto' || this.#isLoading) return;
    this.#isLoading = true;
    import('./page-color-scheme.ts').then(
      ({ PageColorScheme }) => new PageColorScheme(this.#host),
      () => (this.#isLoading = false), // Until then, the element follows the system.
    );
  }
}
