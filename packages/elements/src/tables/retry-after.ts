import { ConnectError } from '@connect-embed/contract/error';
import type { PagedList } from '../internal/paged-list.ts';
import type { Resource } from './table-element.ts';

/** Longer than this nobody looks on; then it waits for a press. */
const MAX_WAIT_SECONDS = 60;

/** Who came at a busy moment, and was told when to come again, does so without being asked. */
export class RetryAfter<Row extends Resource> {
  readonly #pages: PagedList<Row>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pages: PagedList<Row>) {
    this.#pages = pages;
  }

  /** After every drawing. */
  update() {
    const { status, error } = this.#pages;
    if (status !== 'failed') return this.stop();
    const seconds = error instanceof ConnectError ? error.retryAfterSeconds : undefined;
    if (!seconds || seconds > MAX_WAIT_SECONDS) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#pages.first();
    }, seconds * 1000);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
