import type { LitElement, ReactiveController } from 'lit';

/**
 * Keeps the height of an element's outline when its face changes: what is below must not move. The
 * outline is at least as tall as what the page has reserved for a tag that is not defined yet.
 *
 * Another width is another height, so it lets go when the window gets one. (A phone's address bar
 * changes the height only.)
 */
export class HeightLock implements ReactiveController {
  readonly #host: LitElement;
  #width = innerWidth;
  #reservedByPage: number;

  constructor(host: LitElement) {
    this.#host = host;
    // In a constructor the tag is not defined yet, and the page's rule for `:not(:defined)` holds.
    this.#reservedByPage = host.offsetHeight;
    host.addController(this);
  }

  hostConnected() {
    window.addEventListener('resize', this.#releaseOnResize);
  }

  hostDisconnected() {
    window.removeEventListener('resize', this.#releaseOnResize);
  }

  hostUpdated() {
    if (this.#reservedByPage) this.lock();
    this.#reservedByPage = 0;
  }

  /** Called while the outline is still drawn. */
  readonly lock = () => {
    const frame = this.#frame;
    if (!frame) return;
    frame.style.minBlockSize = `${Math.max(frame.offsetHeight, this.#reservedByPage)}px`;
  };

  get #frame() {
    return this.#host.renderRoot?.querySelector<HTMLElement>('.frame');
  }

  readonly #releaseOnResize = () => {
    if (innerWidth === this.#width) return;
    this.#width = innerWidth;
    this.#frame?.style.removeProperty('min-block-size');
  };
}
