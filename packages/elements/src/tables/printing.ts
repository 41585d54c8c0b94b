import { html, nothing, type ReactiveController } from 'lit';
import { interpolate } from '@connect-embed/contract/interpolate';
import { formatCount, pluralMessage } from './format.ts';
import type { RowLoader } from './row-loader.ts';
import type { RowsWindow } from './rows-window.ts';
import type { TableElement } from './table-element.ts';
import type { Resource } from './column.ts';

/** Maximum page size of the API (spec: Limits). */
const PAGE_SIZE = 100;
/** About 40 sheets of paper. For more rows there is the CSV export. */
const MAX_ROWS = 2000;

/** Prints all matching rows up to a maximum. If rows are missing, a printed note says so. */
export class Printing<Row extends Resource> implements ReactiveController {
  readonly #table: TableElement<Row>;
  readonly #loader: RowLoader<Row>;
  readonly #rowsWindow: RowsWindow;
  #running = false;

  constructor(table: TableElement<Row>, loader: RowLoader<Row>, rowsWindow: RowsWindow) {
    this.#table = table;
    this.#loader = loader;
    this.#rowsWindow = rowsWindow;
    table.addController(this);
  }

  hostConnected() {
    addEventListener('beforeprint', this.#handleBeforePrint);
    addEventListener('afterprint', this.#handleAfterPrint);
  }

  hostDisconnected() {
    this.cancel();
    removeEventListener('beforeprint', this.#handleBeforePrint);
    removeEventListener('afterprint', this.#handleAfterPrint);
  }

  readonly #handleBeforePrint = () => this.#showAll(true);
  readonly #handleAfterPrint = () => this.#showAll(false);

  /** Renders synchronously, because the browser prints as soon as the `beforeprint` listener returns. */
  #showAll(all: boolean) {
    this.#rowsWindow.showAll = all;
    this.#table.renderNow();
  }

  cancel() {
    this.#running = false;
  }

  renderButton() {
    const { display, pages } = this.#table;
    const { messages } = display;
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
                ${pluralMessage('exporting', pages.rows.length, display)}
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
    return html`<p class="print-only">${interpolate(display.messages.printed, { count })}</p>`;
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
