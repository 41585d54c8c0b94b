import { html, nothing } from 'lit';
import { formatCount } from './format-count.ts';
import type { RowLoader } from './row-loader.ts';
import type { Resource, TableElement } from './table-element.ts';
import { deferredTexts as texts } from './deferred-texts.ts';

/** The most that the API gives at once. */
const PAGE_SIZE = 100;
/** So many rows are some forty sheets; whoever needs more takes a file. */
const MAX_ROWS = 2000;

/** A table on paper: every row that matches, up to a bound that is stated there. */
export class Printing<Row extends Resource> {
  readonly #table: TableElement<Row>;
  readonly #loader: RowLoader<Row>;
  readonly #renderAll: (all: boolean) => void;
  #running = false;

  /** @param renderAll draws every row that is loaded, at once, or again only those that are seen */
  constructor(table: TableElement<Row>, loader: RowLoader<Row>, renderAll: (all: boolean) => void) {
    this.#table = table;
    this.#loader = loader;
    this.#renderAll = renderAll;
  }

  readonly #handleBeforePrint = () => this.#renderAll(true);
  readonly #handleAfterPrint = () => this.#renderAll(false);

  /** After every drawing. */
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
        class="quiet"
        @click=${this.#running ? () => this.cancel() : () => void this.#print()}
      >
        ${this.#running ? texts.cancel : texts.print}
      </button>
      ${
        this.#running
          ? html`<progress aria-label=${texts.print}></progress>
              <span class="found" role="status">
                ${texts.exporting(formatCount(pages.rows.length, display.language))}
              </span>`
          : nothing
      }`;
  }

  /** Seen on paper alone: a browser's own command prints at once, and waits for no row. */
  renderNote() {
    const { display, pages } = this.#table;
    if (!pages.hasMore) return nothing;
    const count = formatCount(pages.rows.length, display.language);
    return html`<p class="paper">${texts.printed(count)}</p>`;
  }

  async #print() {
    const { pages } = this.#table;
    this.#running = true;
    while (this.#running && pages.hasMore && pages.rows.length < MAX_ROWS) {
      const { signal } = pages.abort;
      // oxlint-disable-next-line no-await-in-loop -- a page's cursor comes with the one before it.
      await this.#loader.loadMore(PAGE_SIZE);
      if (pages.stale || signal.aborted) this.#running = false;
    }
    const loaded = this.#running;
    this.#running = false;
    this.#table.requestUpdate();
    await this.#table.updateComplete;
    if (loaded) print();
  }
}
