import { html, nothing, type ReactiveController } from 'lit';
import { interpolate } from '@connect-embed/contract/interpolate';
import { formatCount } from './format.ts';
import type { RowLoader } from './row-loader.ts';
import type { TableElement } from './table-element.ts';
import type { Resource } from './column.ts';
import { renderMoreButton } from './table-view.ts';
import { parseTokens } from './parse-tokens.ts';
import type { Sorting } from './sorting.ts';

const MODES = ['more', 'pages', 'infinite'];
/** Infinite paging loads the next page before the viewer reaches the end. */
const OBSERVER_OPTIONS = { rootMargin: '400px' };

/** Paging of a table: with a "more" button, page by page, or infinite. */
export class Paging<Row extends Resource> implements ReactiveController {
  /**
   * Id of the current page's first row. An id rather than an index, so that new rows at the top of the
   * table do not move the page.
   */
  #firstRowId: string | undefined;
  #startIndex = 0;
  readonly #table: TableElement<Row>;
  readonly #loader: RowLoader<Row>;
  readonly #sorting: Sorting<Row>;
  readonly #endObserver: IntersectionObserver;

  constructor(table: TableElement<Row>, loader: RowLoader<Row>, sorting: Sorting<Row>) {
    this.#table = table;
    this.#loader = loader;
    this.#sorting = sorting;
    table.addController(this);
    this.#endObserver = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && loader.loadMore(),
      OBSERVER_OPTIONS,
    );
  }

  /** The rows of the current page; undefined in the other modes. */
  get rows(): Row[] | undefined {
    if (this.#mode !== 'pages') return undefined;
    const from = this.#findStart();
    return this.#sorting.rows.slice(from, from + this.#table.pages.limit);
  }

  reset() {
    this.#firstRowId = undefined;
  }

  /** Observes the end of the table. After every update, because the node may be new. */
  hostUpdated() {
    this.#endObserver.disconnect();
    // After a failed load, the button or the next poll loads again. The observer would do so at once.
    if (this.#mode !== 'infinite' || this.#table.pages.isStale) return;
    const end = this.#table.renderRoot.querySelector('.more');
    if (end) this.#endObserver.observe(end);
  }

  hostDisconnected() {
    this.#endObserver.disconnect();
  }

  render() {
    const { pages } = this.#table;
    return this.#mode === 'pages' && pages.status !== 'loading'
      ? this.#renderPager()
      : this.#renderMore();
  }

  /** Renders the "Show more" button. It stays when all rows are shown, so that it does not lose the focus. */
  #renderMore() {
    const { hasMore, isLoadingMore, rows, status } = this.#table.pages;
    const { messages, language } = this.#table.display;
    if (isLoadingMore)
      return renderMoreButton(this.#table, { isDisabled: true, label: messages.loadingMore });
    if (hasMore || status === 'loading')
      return renderMoreButton(this.#table, { isDisabled: !hasMore });
    const label = interpolate(messages.all, { count: formatCount(rows.length, language) });
    return renderMoreButton(this.#table, { isDisabled: true, label, isDone: true });
  }

  #renderPager() {
    const { pages, display } = this.#table;
    const { messages, language } = display;
    const from = this.#findStart();
    const number = Math.ceil(from / pages.limit) + 1;
    const last = from + pages.limit >= this.#sorting.rows.length;
    const end = (last && !pages.hasMore) || pages.isLoadingMore;
    return html`<div class="pager" part="pagination">
      <button
        class="secondary"
        aria-disabled=${from ? nothing : 'true'}
        @click=${() => this.#turnPage(-1)}
      >
        ${messages.previous}
      </button>
      <span aria-live="polite"
        >${interpolate(messages.page, { page: formatCount(number, language) })}</span
      >
      <button
        class="secondary"
        aria-disabled=${end ? 'true' : nothing}
        @click=${() => this.#turnPage(1)}
      >
        ${messages.next}
      </button>
    </div>`;
  }

  async #turnPage(offset: number) {
    const { limit } = this.#table.pages;
    const to = Math.max(0, this.#findStart() + offset * limit);
    if (to >= this.#sorting.rows.length) await this.#loader.loadMore();
    if (to < this.#sorting.rows.length)
      this.#firstRowId = to ? this.#sorting.rows[to]!.id : undefined;
    this.#table.requestUpdate();
  }

  /** Index of the page's first row. If that row was removed, the page stays at its previous index. */
  #findStart(): number {
    const rows = this.#sorting.rows;
    const at = this.#firstRowId ? rows.findIndex(({ id }) => id === this.#firstRowId) : 0;
    if (at >= 0) this.#startIndex = at;
    return this.#startIndex < rows.length ? this.#startIndex : 0;
  }

  get #mode() {
    return parseTokens(this.#table, 'paging', MODES)[0] ?? 'more';
  }
}
