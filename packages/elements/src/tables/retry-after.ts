import { ConnectError } from '@connect-embed/contract/error';
import type { ReactiveController } from 'lit';
import type { Resource } from './column.ts';
import type { PagedList } from './paged-list.ts';
import type { TableElement } from './table-element.ts';

/** Longer waits are not retried automatically; the viewer can use the retry button. */
const MAX_WAIT_SECONDS = 60;

/**
 * Loads the first page again when the API has limited the rate of requests and its `Retry-After` has
 * passed.
 */
export class RetryAfter<Row extends Resource> implements ReactiveController {
  readonly #pages: PagedList<Row>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(table: TableElement<Row>) {
    this.#pages = table.pages;
    table.addController(this);
  }

  hostUpdated() {
    const { status, error } = this.#pages;
    if (status !== 'failed') return this.#cancel();
    const seconds = error instanceof ConnectError ? error.retryAfterSeconds : undefined;
    if (!seconds || seconds > MAX_WAIT_SECONDS) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#pages.loadFirstPage();
    }, seconds * 1000);
  }

  hostDisconnected() {
    this.#cancel();
  }

  #cancel() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
