import type { LitElement, ReactiveController } from 'lit';

/**
 * Keeps the height of an element's outline when its face changes: what is below must not move.
 *
 * Another width is another height, so it lets go when the window gets one. (A phone's address bar
 * changes the height only.)
 */
export class Reserve implements ReactiveController {
  readonly #host: LitElement;
  #width = innerWidth;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected() {
    window.addEventListener('resize', this.#release);
  }

  hostDisconnected() {
    window.removeEventListener('resize', this.#release);
  }

  /** Called while the outline is still drawn. */
  readonly hold = () => {
    const frame = this.#frame;
    if (frame) frame.style.minBlockSize = `${frame.offsetHeight}px`;
  };

  get #frame() {
    return this.#host.renderRoot?.querySelector<HTMLElement>('.frame');
  }

  readonly #release = () => {
    if (innerWidth === this.#width) return;
    this.#width = innerWidth;
    this.#frame?.style.removeProperty('min-block-size');
  };
}
