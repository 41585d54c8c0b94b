import { html, nothing } from 'lit';
import { formatCount } from './count.ts';
import type { Reading } from './reading.ts';
import type { Resource, TableElement } from './table-element.ts';
import { lateTexts as texts } from './texts.ts';
import { wordsOf } from './words.ts';

const MODES = ['more', 'pages', 'infinite'];
/** Read on before the end is seen. */
const NEAR = { rootMargin: '400px' };

/** How further rows come: by the element's own button, back and forth, or where the end is seen. */
export class Paging<Row extends Resource> {
  /** The row that a later page begins with: what comes on top of the table does not push it on. */
  #first: string | undefined;
  #from = 0;
  readonly #table: TableElement<Row>;
  readonly #reading: Reading<Row>;
  readonly #arranged: () => Row[];
  readonly #nearEnd: IntersectionObserver;

  /** @param arranged all rows that are shown, in their order */
  constructor(table: TableElement<Row>, reading: Reading<Row>, arranged: () => Row[]) {
    this.#table = table;
    this.#reading = reading;
    this.#arranged = arranged;
    this.#nearEnd = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && reading.more(),
      NEAR,
    );
  }

  /** The rows of one page; undefined where they are not shown page by page. */
  get rows(): Row[] | undefined {
    if (this.#mode !== 'pages') return undefined;
    const from = this.#begin();
    return this.#arranged().slice(from, from + this.#table.pages.limit);
  }

  restart() {
    this.#first = undefined;
  }

  /** Watches the end that has just been drawn. */
  follow() {
    this.#nearEnd.disconnect();
    if (this.#mode !== 'infinite') return;
    const end = this.#table.renderRoot.querySelector('.more');
    if (end) this.#nearEnd.observe(end);
  }

  rest() {
    this.#nearEnd.disconnect();
  }

  render() {
    const { pages, look } = this.#table;
    if (this.#mode !== 'pages' || pages.status === 'loading') return undefined;
    const from = this.#begin();
    const number = Math.ceil(from / pages.limit) + 1;
    const last = from + pages.limit >= this.#arranged().length;
    const end = (last && !pages.hasMore) || pages.reading;
    return html`<div class="turn" part="more">
      <button class="quiet" aria-disabled=${from ? nothing : 'true'} @click=${() => this.#turn(-1)}>
        ${texts.previous}
      </button>
      <span aria-live="polite">${texts.page(formatCount(number, look.language))}</span>
      <button class="quiet" aria-disabled=${end ? 'true' : nothing} @click=${() => this.#turn(1)}>
        ${texts.next}
      </button>
    </div>`;
  }

  async #turn(by: number) {
    const { limit } = this.#table.pages;
    const to = Math.max(0, this.#begin() + by * limit);
    if (to >= this.#arranged().length) await this.#reading.more();
    if (to < this.#arranged().length) this.#first = to ? this.#arranged()[to]!.id : undefined;
    this.#table.requestUpdate();
  }

  /** Where the page begins among all rows. A row that has gone leaves its place to the next. */
  #begin(): number {
    const rows = this.#arranged();
    const at = this.#first ? rows.findIndex(({ id }) => id === this.#first) : 0;
    if (at >= 0) this.#from = at;
    return this.#from < rows.length ? this.#from : 0;
  }

  get #mode() {
    return wordsOf(this.#table, 'paging', MODES)[0] ?? 'more';
  }
}
