import type { LitElement, ReactiveController } from 'lit';
import { listenToWindow } from './window-listener.ts';

/**
 * Keeps the height of an element when its view changes, so that the content below does not move.
 * The first view is at least as tall as the height that the page has reserved for the undefined tag.
 *
 * The height is released when the window's width changes. (A phone's address bar changes only its
 * height.)
 */
export class HeightLock implements ReactiveController {
  readonly #host: LitElement;
  /** Keeps the reserved height until the element is first drawn. */
  readonly #hostSheet = new CSSStyleSheet();
  #width = innerWidth;
  #reservedByPage: number;

  constructor(host: LitElement) {
    this.#host = host;
    // While the constructor runs the element is not yet defined, so the page's `:not(:defined)` rule
    // applies.
    this.#reservedByPage = host.offsetHeight;
    host.addController(this);
    listenToWindow(host, 'resize', this.#releaseOnResize);
  }

  /** The box around every view of the element, once it is drawn. */
  get #frame() {
    return this.#host.renderRoot.querySelector<HTMLElement>('.frame');
  }

  hostConnected() {
    if (!this.#reservedByPage) return;
    this.#hostSheet.replaceSync(`:host{min-block-size:${this.#reservedByPage}px}`);
    this.#host.shadowRoot!.adoptedStyleSheets.push(this.#hostSheet);
  }

  hostUpdated() {
    if (!this.#reservedByPage) return;
    this.#hostSheet.replaceSync('');
    this.#keep(this.#reservedByPage);
    this.#reservedByPage = 0;
  }

  /** Fixes the current height. Called while the placeholder is still drawn. */
  lock() {
    this.#keep(this.#frame?.offsetHeight);
  }

  #keep(height = 0) {
    this.#frame?.style.setProperty('min-block-size', `${height}px`);
  }

  /** Lets the element be lower than its first view. */
  readonly release = () => {
    this.#frame?.style.removeProperty('min-block-size');
  };

  readonly #releaseOnResize = () => {
    if (innerWidth === this.#width) return;
    this.#width = innerWidth;
    this.release();
  };
}
