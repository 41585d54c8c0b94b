import { html, nothing } from 'lit';
import { formatCount } from './count.ts';
import type { Reading } from './reading.ts';
import type { Resource, TableElement } from './table-element.ts';
import { lateTexts as texts } from './texts.ts';

/** The most that the API gives at once. */
const PAGE = 100;
/** So many rows are some forty sheets; whoever needs more takes a file. */
const MOST_ROWS = 2000;

/** A table on paper: every row that matches, up to a bound that is stated there. */
export class Printing<Row extends Resource> {
  readonly #table: TableElement<Row>;
  readonly #reading: Reading<Row>;
  readonly #drawAll: (all: boolean) => void;
  #running = false;

  /** @param drawAll draws every row that is loaded, at once, or again only those that are seen */
  constructor(table: TableElement<Row>, reading: Reading<Row>, drawAll: (all: boolean) => void) {
    this.#table = table;
    this.#reading = reading;
    this.#drawAll = drawAll;
  }

  readonly #before = () => this.#drawAll(true);
  readonly #after = () => this.#drawAll(false);

  /** After every drawing. */
  follow() {
    addEventListener('beforeprint', this.#before);
    addEventListener('afterprint', this.#after);
  }

  rest() {
    this.cancel();
    removeEventListener('beforeprint', this.#before);
    removeEventListener('afterprint', this.#after);
  }

  cancel() {
    this.#running = false;
  }

  renderButton() {
    const { look, pages } = this.#table;
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
                ${texts.exporting(formatCount(pages.rows.length, look.language))}
              </span>`
          : nothing
      }`;
  }

  /** Seen on paper alone: a browser's own command prints at once, and waits for no row. */
  renderNote() {
    const { look, pages } = this.#table;
    if (!pages.hasMore) return nothing;
    const count = formatCount(pages.rows.length, look.language);
    return html`<p class="paper">${texts.printed(count)}</p>`;
  }

  async #print() {
    const { pages } = this.#table;
    this.#running = true;
    while (this.#running && pages.hasMore && pages.rows.length < MOST_ROWS) {
      const { signal } = pages.abort;
      // oxlint-disable-next-line no-await-in-loop -- a page's cursor comes with the one before it.
      await this.#reading.more(PAGE);
      if (pages.stale || signal.aborted) this.#running = false;
    }
    const loaded = this.#running;
    this.#running = false;
    this.#table.requestUpdate();
    await this.#table.updateComplete;
    if (loaded) print();
  }
}
