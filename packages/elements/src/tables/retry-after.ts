import { ConnectError } from '@connect-embed/contract/error';
import type { PagedList } from './paged-list.ts';
import type { Resource } from './column.ts';

/** Longer waits are not retried automatically; the viewer can use the retry button. */
const MAX_WAIT_SECONDS = 60;

/**
 * Loads the first page again when the API has limited the rate of requests and its `Retry-After` has
 * passed.
 */
export class RetryAfter<Row extends Resource> {
  readonly #pages: PagedList<Row>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pages: PagedList<Row>) {
    this.#pages = pages;
  }

  /** Called after every render. */
  update() {
    const { status, error } = this.#pages;
    if (status !== 'failed') return this.stop();
    const seconds = error instanceof ConnectError ? error.retryAfterSeconds : undefined;
    if (!seconds || seconds > MAX_WAIT_SECONDS) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#pages.loadFirstPage();
    }, seconds * 1000);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
