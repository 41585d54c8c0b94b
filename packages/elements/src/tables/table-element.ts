import type { Component } from '@connect-embed/contract';
import { tables as english } from '@connect-embed/locales/en.json';
import { LitElement, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ColumnChoice } from '../row-events.ts';
import { UnclosedTag } from '../shared/unclosed-tag.ts';
import { Language, type MessageOverrides } from '../shared/language.ts';
import type { TablesMessages } from '../shared/message-types.ts';
import { tokens } from '../shared/tokens.styles.ts';
import {
  unmaskedColumns,
  type CellRenderer,
  type Column,
  type DisplayOptions,
  type Resource,
} from './column.ts';
import { displayOptionsOf } from './display-options.ts';
import { optionalColumns } from './optional-columns.ts';
import { PagedList } from './paged-list.ts';
import { parseTokens } from './parse-tokens.ts';
import type { TableFeatures } from './table-features.ts';
import { renderTable } from './table-view.ts';
import { tableStyles } from './table.styles.ts';

/** Below this width, in pixels, rows are laid out as cards. */
const CARDS_BELOW_PX = 720;

/**
 * Base class of `<connect-donations>`, `<connect-donors>` and `<connect-payouts>`: their common
 * attributes, and the loading of their rows.
 *
 * A base class, because a controller cannot define attributes: docs/decisions/0044-tables.md
 *
 * @fires {ConnectLoadStartEvent} connect-load-start - Loading of the first page starts.
 * @fires {ConnectReadyEvent} connect-ready - The first page is shown.
 * @fires {ConnectLoadErrorEvent} connect-load-error - A page could not be loaded.
 * @fires {ConnectFilterChangeEvent} connect-filter-change - The viewer changed the search or the filters.
 * @fires {ConnectColumnsChangeEvent} connect-columns-change - The viewer showed, hid or resized a column.
 * @csspart frame - The card around the table.
 * @csspart table - The `<table>`.
 * @csspart toolbar - The toolbar above the rows.
 * @csspart more-button - The button that loads the next page.
 * @csspart pagination - The buttons for the previous and next page.
 * @csspart details-dialog - The dialog with the details of a row.
 * @csspart fields - The list of fields in the dialog, a `<dl>`.
 * @csspart transactions - In the details of a payout: the `<table>` of its transactions.
 * @cssproperty [--connect-color-primary] - Buttons, links and focus.
 * @cssproperty [--connect-color-background] - Background of the table.
 * @cssproperty [--connect-color-text] - Text. The colors of lines and hints are derived from it.
 * @cssproperty [--connect-color-danger] - Errors.
 * @cssproperty [--connect-border-radius=10px] - Corner radius.
 * @cssproperty [--connect-spacing-unit=4px] - All spacing is a multiple of it.
 * @cssproperty [--connect-font-family=inherit] - Font; by default the page's font.
 * @cssproperty [--connect-font-size-base=inherit] - Base font size; all text sizes are relative to it.
 */
export abstract class TableElement<Row extends Resource> extends LitElement {
  static override styles = [tokens, tableStyles];

  /** URL of the server (BFF); by default the server that the script was loaded from. */
  @property() server = '';

  /** Token that identifies the viewer, created by the page's server. It is sent to the BFF as a bearer token. */
  @property({ attribute: 'viewer-token' }) viewerToken: string | null = null;

  /** Rows per page, 1 to 100 (spec: Limits). */
  @property({ type: Number }) limit: number | string = 25;

  /** Polling interval in seconds while the page is visible; 0 disables polling. */
  @property({ type: Number, attribute: 'refresh-seconds' }) refreshSeconds: number | string = 5;

  /** Receives changes over a live stream. The table polls only while no stream is available. */
  @property({ type: Boolean, reflect: true }) live = false;

  /** Names of the columns to show, in display order, separated by spaces. */
  @property() columns = '';

  /** How more rows are loaded: `more` (a button), `pages` (previous and next), or `infinite`. */
  @property() paging: 'more' | 'pages' | 'infinite' = 'more';

  /** Tools above the rows: any of `search filters columns totals chart export print`. */
  @property() tools = '';

  /** The organization's time zone, such as `America/New_York`; by default the one that the API returns. */
  @property({ attribute: 'time-zone' }) timeZone = '';

  /** Initial filters, as query parameters of the API: `{ fund_id: 'fund_meals' }`. */
  @property({ attribute: false }) defaultFilters: Readonly<Record<string, string>> = {};

  /**
   * Columns and widths that the viewer has chosen with the tool `columns`. Store the `choice` of the event
   * `connect-columns-change`, and set it here the next time.
   */
  @property({ attribute: false }) columnChoice: ColumnChoice | null = null;

  /** Custom cells by column: each function receives a row and returns text or a node. */
  @property({ attribute: false }) renderers: Readonly<Record<string, CellRenderer<Row>>> = {};

  /** Language of texts, dates and money, such as `de-AT`; by default the page's language. */
  @property() locale = '';

  /** Custom messages by name. Messages nested under a language code apply to that language only. */
  @property({ type: Object }) messages: MessageOverrides<TablesMessages> | null = null;

  /**
   * @internal Everything that the first rows do not need. Loaded after they are rendered; null if loading
   *   failed.
   */
  @state() features: TableFeatures<Row> | null | undefined;

  /** @internal True if rows are laid out as cards. */
  @state() isNarrow = false;

  /** @internal `TableFeatures` adds the English messages that the first rows do not need. */
  readonly language = new Language(this, 'tables', english as TablesMessages);
  /** @internal The loaded rows and the state of loading. */
  readonly pages: PagedList<Row>;
  /** @internal Messages, language and time zone, as of the latest update. */
  display!: DisplayOptions;
  /** @internal The shown columns, as of the latest update. */
  shownColumns!: Column<Row>[];
  /** @internal Number of columns including masked ones: the number of lines of a placeholder card. */
  lineCount!: number;
  /** @internal Everything that cells depend on beside their row. */
  cellInputs!: unknown[];

  // In the next frame: another layout changes the height, which the observer would report as a loop.
  readonly #resizeObserver = new ResizeObserver(() => requestAnimationFrame(() => this.#measure()));
  #featuresLoading: Promise<TableFeatures<Row>> | undefined;

  constructor(component: Component) {
    super();
    this.pages = new PagedList<Row>(this, component);
    new UnclosedTag(this);
  }

  override connectedCallback() {
    super.connectedCallback();
    this.#resizeObserver.observe(this);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#resizeObserver.disconnect();
  }

  /** Reloads the first page. The rows stay visible until it arrives. */
  refresh(): Promise<void> {
    return this.pages.loadFirstPage();
  }

  /** @internal The caption, for example "Donations". */
  get caption(): string {
    return this.language.messages[this.pages.component];
  }

  /** @internal The columns that are shown by default; `tables/optional-columns.ts` has the others. */
  protected abstract readonly defaultColumns: (display: DisplayOptions) => Column<Row>[];

  /** @internal True while the first translation is loading: no text is shown, rather than an English one. */
  get isUntranslated() {
    return this.language.isLoading;
  }

  /** @internal True while it is not known yet whether the session masks one of the columns. */
  get hasUnknownMasks() {
    return !this.pages.session?.masks && this.shownColumns.some(({ mask }) => mask);
  }

  /**
   * @internal Resolves when the table can show its rows. Waits for the features if the first render needs
   *   them: an empty table or custom cells.
   */
  async whenReady() {
    await this.language.ready;
    const hasCustomCells =
      !!this.querySelector(':scope>template') || Object.keys(this.renderers ?? {}).length > 0;
    if (hasCustomCells || !this.pages.rows.length) await this.loadFeatures();
  }

  /** @internal Loads the rest of the table's code, once. */
  loadFeatures(): Promise<TableFeatures<Row>> {
    return (this.#featuresLoading ??= import('./table-features.ts').then(
      ({ TableFeatures }) => (this.features = new TableFeatures(this)),
      (error: unknown) => {
        this.#featuresLoading = undefined; // A later update or click tries again.
        this.features = null;
        throw error;
      },
    ));
  }

  /** @internal Handles a click on a heading. */
  sortBy(column: string) {
    this.#withFeatures((features) => features.sortBy(column));
  }

  /** @internal Handles a click on a row. */
  openRow(row: Row, event: Event) {
    const path = event.composedPath(); // It is empty after the event.
    this.#withFeatures((features) => features.openRow(row, path));
  }

  /** @internal Loads the next page. */
  loadMore() {
    this.#withFeatures((features) => void features.loadMore());
  }

  #withFeatures(use: (features: TableFeatures<Row>) => void) {
    this.loadFeatures().then(use, (error: unknown) => console.error(`<${this.localName}>`, error));
  }

  /** @internal Renders at once, such as before the browser prints. */
  renderNow() {
    this.requestUpdate();
    this.performUpdate();
  }

  protected override willUpdate() {
    this.pages.query ??= this.defaultFilters;
    if (this.tools) void this.loadFeatures().catch(() => {});
  }

  /**
   * Not in `willUpdate`, after which Lit calls `hostUpdate` of the controllers: only now the language and the
   * session with its masks are up to date.
   */
  protected override update(changed: PropertyValues) {
    this.display = displayOptionsOf(this);
    this.features?.prepareUpdate();
    this.#selectColumns();
    super.update(changed);
  }

  protected override render() {
    return renderTable(this);
  }

  protected override firstUpdated() {
    this.#measure(); // So that the first frame has the right layout.
  }

  protected override updated() {
    if (this.pages.status !== 'loading') this.loadFeatures().catch(() => {});
  }

  /** Selects the columns that the `columns` attribute names, or else the default ones. */
  #selectColumns() {
    const { display, pages } = this;
    const defaults = this.defaultColumns(display);
    const all = this.allColumns;
    const isColumn = (name: string) => all.some(({ id }) => id === name);
    const chosen = this.columnChoice?.columns?.filter(isColumn);
    const names = chosen?.length
      ? chosen
      : parseTokens(
          this,
          'columns',
          all.map(({ id }) => id),
        );
    const selected = names.length
      ? names.map((name) => all.find(({ id }) => id === name)!)
      : defaults;
    this.lineCount = selected.length;
    const visible = unmaskedColumns(pages, selected);
    // The cell that names the row contains the button that opens its details. Without one, a row could
    // not be opened by keyboard.
    this.shownColumns = visible.some(({ isRowHeader }) => isRowHeader)
      ? visible
      : visible.map((column, index) => (index ? column : { ...column, isRowHeader: true }));
    const { messages, language, timeZone } = display;
    const columnIds = this.shownColumns.map(({ id }) => id).join(' ');
    this.cellInputs = [messages, language, timeZone, columnIds, this.features?.customCells];
  }

  /** @internal All columns, shown or not, including masked ones. */
  get allColumns(): Column<Row>[] {
    const { display, pages } = this;
    return [...this.defaultColumns(display), ...optionalColumns<Row>(pages.component, display)];
  }

  #measure() {
    // A hidden element has no width.
    if (this.offsetWidth) this.isNarrow = this.offsetWidth < CARDS_BELOW_PX;
  }
}
