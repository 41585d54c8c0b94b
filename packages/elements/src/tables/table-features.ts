import { interpolate } from '@connect-embed/contract/interpolate';
import { tableFeatures as english } from '@connect-embed/locales/en.json';
import { html, nothing, type ReactiveController } from 'lit';
import { adoptStyles } from '../shared/adopt-styles.ts';
import { CustomCells, INTERACTIVE, type CustomCell } from './cell-templates.ts';
import { ChartLoader } from './chart-loader.ts';
import { checkAttributes } from './check-attributes.ts';
import { ColumnChooser } from './column-chooser.ts';
import type { Column, Resource } from './column.ts';
import { DetailsDialog } from './details-dialog.ts';
import { renderEmptyOrError } from './empty-or-error-view.ts';
import { ExportButton } from './export-button.ts';
import { TableFilters } from './filters.ts';
import { formatCount, namePlaceholders } from './format.ts';
import { navigateRows } from './keyboard-navigation.ts';
import { Paging } from './paging.ts';
import { parseTokens } from './parse-tokens.ts';
import { Printing } from './printing.ts';
import { RetryAfter } from './retry-after.ts';
import { RowLoader } from './row-loader.ts';
import { RowsWindow } from './rows-window.ts';
import { SessionRenewal } from './session-renewal.ts';
import { Sorting } from './sorting.ts';
import type { TableElement } from './table-element.ts';
import { tableFeaturesStyles } from './table-features.styles.ts';
import { Totals } from './totals.ts';

const TOOLS = ['search', 'filters', 'columns', 'totals', 'chart', 'export', 'print'];

/** The tools that open below the toolbar, one at a time. */
type Panel = 'filters' | 'columns';

/** The rows to render now, and with virtual scrolling their position. */
interface VisibleRows<Row> {
  rows: readonly Row[];
  /** Index of the first of them; undefined without virtual scrolling, as are the spaces. */
  firstIndex?: number;
  /** Height of the rows that are not rendered, in pixels. */
  spaceAbove?: number;
  spaceBelow?: number;
}

/**
 * Everything that a table's first rows do not need. It is loaded once they are rendered; the element
 * renders without it until then.
 */
export class TableFeatures<Row extends Resource> implements ReactiveController {
  /** The rows to render, as of the latest update. */
  visibleRows: VisibleRows<Row> = { rows: [] };
  /** Cells that the page supplies. A new object when the `renderers` property has changed. */
  customCells: CustomCells<Row>;
  #renderers: unknown;
  readonly #table: TableElement<Row>;
  readonly #loader: RowLoader<Row>;
  readonly #details: DetailsDialog<Row>;
  readonly #filters: TableFilters<Row>;
  readonly #columns: ColumnChooser<Row>;
  readonly #totals: Totals<Row>;
  readonly #chart: ChartLoader<Row>;
  readonly #rowsWindow: RowsWindow;
  readonly #sorting: Sorting<Row>;
  readonly #paging: Paging<Row>;
  readonly #export: ExportButton<Row>;
  readonly #printing: Printing<Row>;
  #openPanel: Panel | undefined;

  constructor(table: TableElement<Row>) {
    this.#table = table;
    table.language.addEnglish(english);
    this.#renderers = table.renderers;
    this.customCells = new CustomCells(table);
    this.#loader = new RowLoader(table);
    this.#details = new DetailsDialog(table);
    this.#filters = new TableFilters(table);
    this.#columns = new ColumnChooser(table);
    this.#sorting = new Sorting(table);
    this.#rowsWindow = new RowsWindow(table);
    this.#printing = new Printing(table, this.#loader, this.#rowsWindow);
    this.#paging = new Paging(table, this.#loader, this.#sorting);
    this.#export = new ExportButton(table);
    this.#totals = new Totals(table, this.#loader);
    this.#chart = new ChartLoader(table, this.#loader);
    new RetryAfter(table);
    new SessionRenewal(table, () => this.#reset());
    adoptStyles(table, tableFeaturesStyles);
    table.addEventListener(
      'keydown',
      (event) => void navigateRows(event, table, this.#sorting.rows, this.#rowsWindow),
    );
    table.addController(this);
  }

  hostUpdated() {
    checkAttributes(this.#table);
  }

  /** Called before each render of the table. */
  prepareUpdate() {
    const { renderers } = this.#table;
    if (renderers !== this.#renderers) {
      this.#renderers = renderers;
      this.customCells = new CustomCells(this.#table);
    }
    this.visibleRows = this.#selectRows();
  }

  /** The rows of the current page or near the viewport; all of them for printing. */
  #selectRows(): VisibleRows<Row> {
    const rowsWindow = this.#rowsWindow;
    const page = rowsWindow.showAll ? undefined : this.#paging.rows;
    if (page) return { rows: page };
    const rows = rowsWindow.slice(this.#sorting.rows);
    if (!rowsWindow.isActive) return { rows };
    const { from: firstIndex, spaceAbove, spaceBelow } = rowsWindow;
    return { rows, firstIndex, spaceAbove, spaceBelow };
  }

  /** Number of rows with the header, for screen readers; -1 is unknown. Only with virtual scrolling. */
  get rowCount(): number | undefined {
    if (!this.#rowsWindow.isActive) return undefined;
    return this.#table.pages.hasMore ? -1 : this.#sorting.rows.length + 1;
  }

  get isFiltered() {
    return this.#filters.isFiltered;
  }

  renderCustomCell(column: Column<Row>, row: Row): CustomCell | undefined {
    return this.customCells.render(column, row, this.#messages.details);
  }

  renderHandle(column: Column<Row>) {
    return this.hasTool('columns') ? this.#columns.renderHandle(column) : nothing;
  }

  canSortBy(column: string) {
    return this.#sorting.canSortBy(column);
  }

  /** The order by which the rows are sorted by this column; undefined if they are not. */
  sortOrderOf(column: string): 'ascending' | 'descending' | undefined {
    const { sort } = this.#sorting;
    if (sort?.id !== column) return undefined;
    return sort.isDescending ? 'descending' : 'ascending';
  }

  /** Sorts by a column: ascending, descending, then the API's default order. */
  sortBy(column: string) {
    void this.#sorting.toggleSort(column);
    this.#paging.reset();
    this.#rowsWindow.reset();
    this.#table.requestUpdate();
  }

  loadMore() {
    return this.#loader.loadMore();
  }

  /**
   * Opens the details of a row after a click in it. Clicks on links and controls in custom cells belong
   * to the host page.
   *
   * @param path the composed path of the click
   */
  openRow(row: Row, path: readonly EventTarget[]) {
    const insideRow = path.slice(
      0,
      path.findIndex((node) => node instanceof HTMLTableRowElement),
    );
    const elements = insideRow.filter((node) => node instanceof Element);
    const isButton = elements.some((node) => node.matches('.open'));
    const isHandled = elements.some((node) => node.matches(`label,${INTERACTIVE}`));
    if (isButton || !(isHandled || getSelection()?.toString())) this.#details.open(row);
  }

  /** Discards everything derived from the rows of another viewer. */
  #reset() {
    const resettable = [this.#details, this.#totals, this.#chart, this.#filters];
    for (const feature of resettable) feature.reset();
    this.#export.cancel();
    this.#table.requestUpdate();
  }

  renderToolbar() {
    if (this.#table.isUntranslated) return nothing;
    return html`${this.hasTool('search') ? this.#filters.renderSearch() : nothing}
    ${this.#renderPanelButton('filters', this.#filters.filterCount)}
    ${this.hasTool('filters') ? this.#filters.renderClearButton() : nothing}
    ${this.#renderPanelButton('columns')}
    ${this.hasTool('export') ? this.#export.render() : nothing}
    ${this.hasTool('print') ? this.#printing.renderButton() : nothing}
    ${this.#filters.searchText ? this.#renderResultCount() : nothing} ${this.#renderPanel()}
    ${this.hasTool('totals') ? this.#totals.render() : nothing}
    ${this.hasTool('chart') ? this.#chart.render() : nothing} ${this.#totals.renderOnItsWay()}`;
  }

  /** Renders the button of a tool that opens below the toolbar. */
  #renderPanelButton(tool: Panel, count = 0) {
    if (!this.hasTool(tool)) return nothing;
    const isOpen = this.#openPanel === tool;
    return html`<button
      class="secondary"
      aria-expanded=${isOpen}
      aria-controls=${isOpen ? 'panel' : nothing}
      @click=${() => {
        this.#openPanel = isOpen ? undefined : tool;
        this.#table.requestUpdate();
      }}
    >
      ${this.#messages[tool]} ${count ? `(${this.#count(count)})` : nothing}
    </button>`;
  }

  #renderPanel() {
    const tool = this.#openPanel;
    if (!tool || !this.hasTool(tool)) return nothing;
    return html`<div
      id="panel"
      class="panel ${tool}"
      role="group"
      aria-label=${this.#messages[tool]}
    >
      ${tool === 'filters' ? this.#filters.renderFields() : this.#columns.renderChoices()}
    </div>`;
  }

  #renderResultCount() {
    const { resultCount } = this.#filters;
    const { found, nothing: noResult } = this.#messages;
    const text = resultCount ? interpolate(found, { count: this.#count(resultCount) }) : noResult;
    return html`<span class="count" role="status">
      ${resultCount === undefined ? nothing : text}
    </span>`;
  }

  renderState() {
    return renderEmptyOrError(this.#table);
  }

  renderPaging() {
    return this.#paging.render();
  }

  renderDialogs() {
    const { isUntranslated, pages, tools } = this.#table;
    const hasToolbar = tools && (pages.rows.length > 0 || this.isFiltered);
    return html`${isUntranslated || hasToolbar ? nothing : this.#totals.renderOnItsWay()}
    ${this.#printing.renderNote()}${this.#details.render()}`;
  }

  /** Text of the live region (role="status") for screen readers; empty if there is nothing to announce. */
  announcement(): string {
    const { pages, caption, shownColumns } = this.#table;
    const messages = this.#messages;
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

  get #messages() {
    return this.#table.display.messages;
  }

  hasTool(tool: string) {
    const { component } = this.#table.pages;
    const tools =
      component === 'donations' ? TOOLS : ['search', 'filters', 'columns', 'export', 'print'];
    return parseTokens(this.#table, 'tools', tools).includes(tool);
  }

  #count(value: number) {
    return formatCount(value, this.#table.display.language);
  }
}
