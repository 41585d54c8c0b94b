import { ConnectError } from '@connect-embed/contract/error';
import { interpolate } from '@connect-embed/contract/interpolate';
import { html, nothing } from '../shared/html.ts';
import type { CellOverrides } from './row-writer.ts';
import { unmaskedColumns, type Column, type DisplayOptions, type Resource } from './column.ts';
import { Sorting } from './sorting.ts';
import { checkAttributes, parseTokens } from './check-attributes.ts';
import { ChartLoader } from './chart-loader.ts';
import { formatCount, namePlaceholders, TableTranslator } from './i18n.ts';
import { DetailsDialog } from './details-dialog.ts';
import { ExportButton } from './export-button.ts';
import { renderEmptyOrError } from './empty-or-error-view.ts';
import { TableFilters } from './filters.ts';
import { readCellOverrides } from './cell-templates.ts';
import { optionalColumns, cellValue } from './optional-columns.ts';
import { Paging } from './paging.ts';
import { Printing } from './printing.ts';
import { followProviderTheme } from './provider-theme.ts';
import { RowLoader } from './row-loader.ts';
import { SessionRenewal } from './session-renewal.ts';
import { RowReconciler } from './reconcile-rows.ts';
import { RowsWindow } from './rows-window.ts';
import { RetryAfter } from './retry-after.ts';
import type { LazyFeatures, TableHost } from './table-host.ts';
import { messages } from './table-messages.ts';
import { tableFeaturesStyles } from './table-features.styles.ts';
import { Totals } from './totals.ts';
import { navigateRows } from './keyboard-navigation.ts';

const TOOLS = ['search', 'filters', 'totals', 'chart', 'export', 'print'];

/**
 * Everything that a table's first rows do not need. It is one chunk of the bundle, loaded once they are
 * rendered.
 *
 * The element calls its parts by name and renders without them until the chunk is loaded.
 */
export class TableFeatures<Row extends Resource> implements LazyFeatures<Row> {
  cells: CellOverrides<Row> | undefined;
  #renderers: unknown;
  #explainedError: unknown;
  readonly #table: TableHost<Row>;
  readonly #loader: RowLoader<Row>;
  readonly #details: DetailsDialog<Row>;
  readonly #filters: TableFilters<Row>;
  readonly #totals: Totals<Row>;
  readonly #chart: ChartLoader<Row>;
  readonly #rowsWindow: RowsWindow;
  readonly #reconciler: RowReconciler<Row>;
  readonly #translator: TableTranslator;
  readonly #sorting: Sorting<Row>;
  readonly #paging: Paging<Row>;
  readonly #export: ExportButton<Row>;
  readonly #printing: Printing<Row>;
  readonly #retryAfter: RetryAfter<Row>;
  readonly #sessionRenewal: SessionRenewal<Row>;

  constructor(table: TableHost<Row>) {
    this.#table = table;
    this.#readCells();
    this.#loader = new RowLoader(table);
    this.#details = new DetailsDialog(table);
    this.#filters = new TableFilters(table);
    this.#sorting = new Sorting(table);
    this.#printing = new Printing(table, this.#loader, (all) => this.#renderAllRows(all));
    this.#paging = new Paging(table, this.#loader, () => this.#sorting.rows);
    this.#export = new ExportButton(table);
    this.#retryAfter = new RetryAfter(table.pages);
    this.#sessionRenewal = new SessionRenewal(table.pages, () => this.#reset());
    this.#totals = new Totals(table);
    this.#chart = new ChartLoader(table);
    this.#translator = new TableTranslator(table);
    this.#rowsWindow = new RowsWindow(() => table.requestUpdate());
    this.#reconciler = new RowReconciler(table);
    table.addController({ hostDisconnected: () => this.#stop() });
    const sheet = tableFeaturesStyles.styleSheet!;
    const root = table.renderRoot as ShadowRoot;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    table.addEventListener(
      'keydown',
      (event) => void navigateRows(event, table, this.#sorting.rows, this.#rowsWindow),
    );
  }

  /** Resolves when the messages of the language are loaded or have failed to load. */
  get ready() {
    return this.#translator.ready;
  }

  #readCells() {
    this.#renderers = this.#table.renderers;
    this.cells = readCellOverrides<Row>(this.#table);
  }

  /** Activates this table's messages, and returns the inputs that change its columns. */
  activateMessages(): unknown[] {
    if (this.#renderers !== this.#table.renderers) this.#readCells();
    this.#translator.activate();
    return [this.#table.columns || undefined, this.#translator.customMessages];
  }

  get isFiltered() {
    return this.#filters.isFiltered;
  }

  /** The columns that the `columns` attribute names, or else the default ones. */
  selectColumns(display: DisplayOptions, defaults: Column<Row>[]): Column<Row>[] {
    const all = [...defaults, ...optionalColumns<Row>(this.#table.pages.component, display)];
    const names = parseTokens(
      this.#table,
      'columns',
      all.map(({ id }) => id),
    );
    const selected = names.length
      ? names.map((name) => all.find(({ id }) => id === name)!)
      : defaults;
    const visible = unmaskedColumns(this.#table.pages, selected);
    // The cell that names the row contains the button that opens its details. Without one, a row could
    // not be opened by keyboard.
    return visible.some(({ isRowHeader }) => isRowHeader)
      ? visible
      : visible.map((column, index) => (index ? column : { ...column, isRowHeader: true }));
  }

  /** All columns, shown or not, except masked ones. */
  get allColumns(): Column<Row>[] {
    const { display, pages } = this.#table;
    const all = [
      ...this.#table.defaultColumns(display),
      ...optionalColumns<Row>(pages.component, display),
    ];
    return unmaskedColumns(pages, all);
  }

  valueOf(column: string, row: Row) {
    return cellValue(this.#table.pages.component, column, row, this.#table.display.language);
  }

  /** Sorts by a column: ascending, descending, then the API's default order. */
  sortBy(id: string) {
    this.#sorting.toggleSort(id);
    this.#paging.reset();
    this.#rowsWindow.reset();
    this.#table.requestUpdate();
  }

  loadMore() {
    return this.#loader.loadMore();
  }

  /**
   * Handles every click in the table. Clicks on links and controls in custom cells belong to the host
   * page.
   */
  handleClick(path: Element[]) {
    const on = (selector: string) => path.find((node) => node.matches?.(selector));
    const sort = on('.sort') as HTMLButtonElement | undefined;
    if (sort) return this.sortBy(sort.value);
    if (on('.more button')) return void this.loadMore();
    const row = on('tr[data-id]');
    const isHandled = path
      .slice(0, row ? path.indexOf(row) : 0)
      .some((node) => node.matches?.('a,button:not(.open),input,select,label,summary'));
    const pressed = this.#table.pages.rows.find(({ id }) => id === row?.getAttribute('data-id'));
    if (pressed && !isHandled && !getSelection()?.toString()) this.#details.open(pressed);
  }

  /** Renders synchronously, because the browser prints as soon as the `beforeprint` listener returns. */
  #renderAllRows(all: boolean) {
    this.#rowsWindow.showAll = all;
    const body = this.#table.renderRoot.querySelector<HTMLElement>('.rows');
    if (body) this.renderRows(body);
    this.#table.requestUpdate();
  }

  /** Renders the rows of the current page or of the visible range. */
  renderRows(body: HTMLElement) {
    const page = this.#rowsWindow.showAll ? undefined : this.#paging.rows;
    const rows = page ?? this.#rowsWindow.slice(this.#sorting.rows, body);
    this.#reconciler.reconcile(body, rows);
  }

  /** Called after every render. */
  updated() {
    if (!this.#table.isConnected) return this.#stop();
    checkAttributes(this.#table);
    followProviderTheme(this.#table);
    this.#retryAfter.update();
    this.#sessionRenewal.update();
    this.#explainFailure();
    this.#loader.update();
    const changes = this.#loader.takeChanges();
    if (this.#hasTool('totals')) this.#totals.update(changes);
    if (this.#hasTool('chart')) this.#chart.update(changes);
    this.#filters.update();
    this.#printing.listen();
    this.#details.updated();
    this.#rowsWindow.rendered();
    this.#label();
    this.#paging.update();
  }

  /**
   * Explains in the console, for the owner of the page, why the server (BFF) is unreachable. Once per
   * error.
   */
  #explainFailure() {
    const { error, session, status } = this.#table.pages;
    if (status !== 'failed' || error === this.#explainedError) return;
    this.#explainedError = error;
    // With a minted session, the failed request was one to the API.
    const isServerRequest = session && !session.minted && !session.source.fetchSession;
    const isUnexplained =
      error instanceof ConnectError && (error.cause || error.code === 'server_not_found');
    if (!isServerRequest || !isUnexplained) return;
    import('../shared/explain-unreachable.ts')
      .then(({ explainUnreachable }) => explainUnreachable(session.source.server))
      .then((reason) => console.error(`<${this.#table.localName}> ${reason}`))
      .catch(() => {});
  }

  /** Sets the ARIA attributes for the sort order and, with virtual scrolling, for the row positions. */
  #label() {
    const { renderRoot, pages } = this.#table;
    const sorting = this.#sorting;
    const { sort, rows } = sorting;
    for (const button of renderRoot.querySelectorAll<HTMLButtonElement>('.sort')) {
      const sorted = sort?.id === button.value;
      const order = sort?.isDescending ? 'descending' : 'ascending';
      (button.parentElement as HTMLElement).ariaSort = sorted ? order : null;
      button.disabled = !sorting.canSortBy(button.value);
    }
    const table = renderRoot.querySelector('table');
    if (!table) return;
    const { isActive, from } = this.#rowsWindow;
    // The count includes the header row; -1 means unknown.
    const count = pages.hasMore ? -1 : rows.length + 1;
    table.ariaRowCount = isActive ? `${count}` : null;
    [...renderRoot.querySelectorAll('.rows tr')].forEach((row, index) => {
      const rowIndex = isActive ? `${from + index + 2}` : null;
      if (row.ariaRowIndex !== rowIndex) row.ariaRowIndex = rowIndex;
    });
  }

  /** Discards everything derived from the rows of another viewer. */
  #reset() {
    const resettable = [this.#details, this.#totals, this.#chart, this.#filters];
    for (const feature of resettable) feature.reset();
    this.#export.cancel();
    this.#table.requestUpdate();
  }

  /** Removes all listeners and timers outside of the element, so that it can be garbage collected. */
  #stop() {
    this.#rowsWindow.stop();
    this.#retryAfter.stop();
    this.#paging.stop();
    this.#filters.stop();
    this.#printing.stop();
    this.#export.cancel();
  }

  renderToolbar() {
    if (this.#translator.isUntranslated) return nothing;
    const { searchText, resultCount } = this.#filters;
    return html`${this.#hasTool('search') ? this.#filters.renderSearch() : nothing}
    ${this.#hasTool('filters') ? this.#filters.renderFilters() : nothing}
    ${this.#hasTool('export') ? this.#export.render() : nothing}
    ${this.#hasTool('print') ? this.#printing.renderButton() : nothing}
    ${
      searchText
        ? html`<span class="count" role="status">
            ${resultCount === undefined ? nothing : resultCount ? interpolate(messages.found, { count: this.#count(resultCount) }) : messages.nothing}
          </span>`
        : nothing
    }
    ${this.#hasTool('totals') ? this.#totals.render() : nothing}
    ${this.#hasTool('chart') ? this.#chart.render() : nothing}`;
  }

  renderState() {
    return renderEmptyOrError(this.#table);
  }

  renderPaging() {
    return this.#paging.render();
  }

  renderDialogs() {
    return html`${this.#printing.renderNote()}${this.#details.render()}`;
  }

  /** Text of the live region (role="status") for screen readers; empty if there is nothing to announce. */
  announcement(): string {
    const { pages, caption, shownColumns } = this.#table;
    const names = namePlaceholders('what', caption);
    if (pages.status === 'loading') return interpolate(messages.loading, names);
    if (pages.isStale) return messages.paused;
    const { addedCount } = this.#loader;
    if (addedCount)
      return interpolate(messages.added, { count: this.#count(addedCount), ...names });
    const sortColumn = shownColumns.find(({ id }) => id === this.#sorting.sort?.id);
    return sortColumn
      ? interpolate(messages.sorted, namePlaceholders('column', sortColumn.label))
      : '';
  }

  #hasTool(tool: string) {
    const { component } = this.#table.pages;
    const tools = component === 'donations' ? TOOLS : ['search', 'export', 'print'];
    return parseTokens(this.#table, 'tools', tools).includes(tool);
  }

  #count(value: number) {
    return formatCount(value, this.#table.display.language);
  }
}
