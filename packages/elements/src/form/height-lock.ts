import type { ConnectElement, ReactiveController } from '../shared/connect-element.ts';
import { listenToWindow } from './window-listener.ts';

/**
 * Keeps the height of an element when its view changes, so that the content below does not move.
 * The placeholder is at least as tall as the height that the page has reserved for the undefined
 * tag.
 *
 * The height is released when the window's width changes. (A phone's address bar changes only its
 * height.)
 */
export class HeightLock implements ReactiveController {
  readonly #host: ConnectElement;
  #width = innerWidth;
  #reservedByPage: number;

  constructor(host: ConnectElement) {
    this.#host = host;
    // While the constructor runs the element is not yet defined, so the page's `:not(:defined)` rule
    // applies.
    this.#reservedByPage = host.offsetHeight;
    host.addController(this);
    listenToWindow(host, 'resize', this.#releaseOnResize);
  }

  hostUpdated() {
    if (this.#reservedByPage) this.#keep(this.#reservedByPage);
    this.#reservedByPage = 0;
  }

  /** Fixes the current height. Called while the placeholder is still drawn. */
  readonly lock = () => this.#keep(this.#frame?.offsetHeight);

  #keep(height = 0) {
    this.#frame?.style.setProperty('min-block-size', `${height}px`);
  }

  get #frame() {
    return this.#host.renderRoot?.querySelector<HTMLElement>('.frame');
  }

  readonly #releaseOnResize = () => {
    if (innerWidth === this.#width) return;
    this.#width = innerWidth;
    this.#frame?.style.removeProperty('min-block-size');
  };
}
