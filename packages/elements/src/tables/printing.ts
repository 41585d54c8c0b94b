import { interpolate } from '@connect-embed/contract/interpolate';
import { html, nothing } from '../shared/html.ts';
import { formatCount, pluralMessage } from './i18n.ts';
import type { RowLoader } from './row-loader.ts';
import type { TableHost } from './table-host.ts';
import type { Resource } from './column.ts';
import { messages } from './table-messages.ts';

/** Maximum page size of the API (spec: Limits). */
const PAGE_SIZE = 100;
/** About 40 sheets of paper. For more rows there is the CSV export. */
const MAX_ROWS = 2000;

/** Prints all matching rows up to a maximum. If rows are missing, a printed note says so. */
export class Printing<Row extends Resource> {
  readonly #table: TableHost<Row>;
  readonly #loader: RowLoader<Row>;
  readonly #renderAll: (all: boolean) => void;
  #running = false;

  /**
   * @param renderAll renders all loaded rows synchronously (true), or only the visible ones again (false)
   */
  constructor(table: TableHost<Row>, loader: RowLoader<Row>, renderAll: (all: boolean) => void) {
    this.#table = table;
    this.#loader = loader;
    this.#renderAll = renderAll;
  }

  readonly #handleBeforePrint = () => this.#renderAll(true);
  readonly #handleAfterPrint = () => this.#renderAll(false);

  /** Called after every render. */
  listen() {
    addEventListener('beforeprint', this.#handleBeforePrint);
    addEventListener('afterprint', this.#handleAfterPrint);
  }

  stop() {
    this.cancel();
    removeEventListener('beforeprint', this.#handleBeforePrint);
    removeEventListener('afterprint', this.#handleAfterPrint);
  }

  cancel() {
    this.#running = false;
  }

  renderButton() {
    const { display, pages } = this.#table;
    return html`<button
        class="secondary"
        @click=${this.#running ? () => this.cancel() : () => void this.#print()}
      >
        ${this.#running ? messages.cancel : messages.print}
      </button>
      ${
        this.#running
          ? html`<progress aria-label=${messages.print}></progress>
              <span class="count" role="status">
                ${pluralMessage('exporting', pages.rows.length, display.language)}
              </span>`
          : nothing
      }`;
  }

  /**
   * A note that is visible only in print. The browser's own print command does not wait until all rows
   * are loaded.
   */
  renderNote() {
    const { display, pages } = this.#table;
    if (!pages.hasMore) return nothing;
    const count = formatCount(pages.rows.length, display.language);
    return html`<p class="print-only">${interpolate(messages.printed, { count })}</p>`;
  }

  async #print() {
    const { pages } = this.#table;
    this.#running = true;
    while (this.#running && pages.hasMore && pages.rows.length < MAX_ROWS) {
      const { signal } = pages.abort;
      // oxlint-disable-next-line no-await-in-loop -- a page's cursor comes with the one before it.
      await this.#loader.loadMore(PAGE_SIZE);
      if (pages.isStale || signal.aborted) this.#running = false;
    }
    const loaded = this.#running;
    this.#running = false;
    this.#table.requestUpdate();
    await this.#table.updateComplete;
    if (loaded) print();
  }
}
