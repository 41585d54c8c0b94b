import { ConnectError } from '@connect-embed/contract/error';
import type { Pages } from '../internal/pages.ts';
import type { Resource } from './table-element.ts';

/** Longer than this nobody looks on; then it waits for a press. */
const LONGEST_WAIT_SECONDS = 60;

/** Who came at a busy moment, and was told when to come again, does so without being asked. */
export class SecondTry<Row extends Resource> {
  readonly #pages: Pages<Row>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pages: Pages<Row>) {
    this.#pages = pages;
  }

  /** After every drawing. */
  follow() {
    const { status, error } = this.#pages;
    if (status !== 'failed') return this.rest();
    const seconds = error instanceof ConnectError ? error.retryAfterSeconds : undefined;
    if (!seconds || seconds > LONGEST_WAIT_SECONDS) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#pages.first();
    }, seconds * 1000);
  }

  rest() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
