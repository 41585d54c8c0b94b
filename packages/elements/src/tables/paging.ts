import { interpolate } from '@connect-embed/contract/interpolate';
import { html, nothing } from '../shared/html.ts';
import { formatCount } from './i18n.ts';
import type { RowLoader } from './row-loader.ts';
import type { TableHost } from './table-host.ts';
import type { Resource } from './column.ts';
import { messages } from './table-messages.ts';
import { renderMoreButton } from './table-view.ts';
import { parseTokens } from './check-attributes.ts';

const MODES = ['more', 'pages', 'infinite'];
/** Infinite paging loads the next page before the viewer reaches the end. */
const OBSERVER_OPTIONS = { rootMargin: '400px' };

/** Paging of a table: with a "more" button, page by page, or infinite. */
export class Paging<Row extends Resource> {
  /**
   * Id of the current page's first row. An id rather than an index, so that new rows at the top of the
   * table do not move the page.
   */
  #firstRowId: string | undefined;
  #startIndex = 0;
  readonly #table: TableHost<Row>;
  readonly #loader: RowLoader<Row>;
  readonly #getRows: () => Row[];
  readonly #endObserver: IntersectionObserver;

  /** @param getRows returns all shown rows, in display order */
  constructor(table: TableHost<Row>, loader: RowLoader<Row>, getRows: () => Row[]) {
    this.#table = table;
    this.#loader = loader;
    this.#getRows = getRows;
    this.#endObserver = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && loader.loadMore(),
      OBSERVER_OPTIONS,
    );
  }

  /** The rows of the current page; undefined in the other modes. */
  get rows(): Row[] | undefined {
    if (this.#mode !== 'pages') return undefined;
    const from = this.#findStart();
    return this.#getRows().slice(from, from + this.#table.pages.limit);
  }

  reset() {
    this.#firstRowId = undefined;
  }

  /** Observes the end of the table. Called after every render, because the node may be new. */
  update() {
    this.#endObserver.disconnect();
    if (this.#mode !== 'infinite') return;
    const end = this.#table.renderRoot.querySelector('.more');
    if (end) this.#endObserver.observe(end);
  }

  stop() {
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
    if (isLoadingMore) return renderMoreButton(true, messages.loadingMore);
    if (hasMore || status === 'loading') return renderMoreButton(!hasMore);
    const count = formatCount(rows.length, this.#table.display.language);
    return renderMoreButton(true, interpolate(messages.all, { count }), 'secondary done');
  }

  #renderPager() {
    const { pages, display } = this.#table;
    const from = this.#findStart();
    const number = Math.ceil(from / pages.limit) + 1;
    const last = from + pages.limit >= this.#getRows().length;
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
        >${interpolate(messages.page, { page: formatCount(number, display.language) })}</span
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
    if (to >= this.#getRows().length) await this.#loader.loadMore();
    if (to < this.#getRows().length) this.#firstRowId = to ? this.#getRows()[to]!.id : undefined;
    this.#table.requestUpdate();
  }

  /** Index of the page's first row. If that row was removed, the page stays at its previous index. */
  #findStart(): number {
    const rows = this.#getRows();
    const at = this.#firstRowId ? rows.findIndex(({ id }) => id === this.#firstRowId) : 0;
    if (at >= 0) this.#startIndex = at;
    return this.#startIndex < rows.length ? this.#startIndex : 0;
  }

  get #mode() {
    return parseTokens(this.#table, 'paging', MODES)[0] ?? 'more';
  }
}
