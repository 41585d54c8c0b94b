import type { Component } from '@connect-embed/contract';
import { ConnectElement, type PropertyDeclarations } from '../shared/connect-element.ts';
import type { MessageOverrides } from '../shared/language.ts';
import { findTimeZone } from './format.ts';
import { detectLanguage } from '../shared/detect-language.ts';
import { messages } from './table-messages.ts';
import type { TablesMessages } from '../shared/message-types.ts';
import { findProvider } from './default-provider.ts';
import { PagedList } from './paged-list.ts';
import { RowWriter } from './row-writer.ts';
import { renderTable } from './table-view.ts';
import type { TableHost } from './table-host.ts';
import {
  unmaskedColumns,
  type CellRenderer,
  type Column,
  type DisplayOptions,
  type Resource,
} from './column.ts';
import { tableStyles } from './table.styles.ts';
import { tokens } from '../shared/tokens.styles.ts';
import type { TableFeatures } from './table-features.ts';

/**
 * Base class of `<connect-donations>`, `<connect-donors>` and `<connect-payouts>`: their common
 * attributes, and the loading of their rows.
 *
 * A base class, because a controller cannot define attributes: docs/decisions/0044-tables.md
 *
 * @fires {ConnectLoadStartEvent} connect-load-start - Loading of the first page starts.
 * @fires {ConnectReadyEvent} connect-ready - The first page is shown.
 * @fires {ConnectLoadErrorEvent} connect-load-error - A page could not be loaded.
 * @csspart frame - The card around the table.
 * @csspart table - The `<table>`.
 * @csspart toolbar - The toolbar above the rows.
 * @csspart more-button - The button that loads the next page.
 * @csspart pagination - The buttons for the previous and next page.
 * @csspart details-dialog - The dialog with the details of a row.
 * @csspart fields - The list of fields in the dialog, a `<dl>`.
 * @csspart transactions - In the details of a payout: the `<table>` of its donations, refunds and disputes.
 * @cssproperty [--connect-color-primary] - Buttons, links and focus.
 * @cssproperty [--connect-color-background] - Background of the table.
 * @cssproperty [--connect-color-text] - Text. The colors of lines and hints are derived from it.
 * @cssproperty [--connect-color-danger] - Errors.
 * @cssproperty [--connect-border-radius=10px] - Corner radius.
 * @cssproperty [--connect-spacing-unit=4px] - All spacing is a multiple of it.
 * @cssproperty [--connect-font-family=inherit] - Font; by default the page's font.
 * @cssproperty [--connect-font-size-base=inherit] - Base font size; all text sizes are relative to it.
 */
export abstract class TableElement<Row extends Resource>
  extends ConnectElement
  implements TableHost<Row>
{
  static override styles = [tokens, tableStyles];

  // Static declarations instead of decorators: for this many properties they are smaller.
  static override properties: PropertyDeclarations = {
    server: {},
    viewerToken: { attribute: 'viewer-token' },
    limit: { type: Number },
    refreshSeconds: { type: Number, attribute: 'refresh-seconds' },
    live: { type: Boolean, reflect: true },
    columns: {},
    paging: {},
    tools: {},
    timeZone: { attribute: 'time-zone' },
    defaultFilters: { attribute: false },
    renderers: { attribute: false },
    locale: {},
    messages: { type: Object },
    features: { attribute: false },
  };

  /** URL of the server (BFF); by default the server that the script was loaded from. */
  server = '';

  /** Token that identifies the viewer, created by the page's server. It is sent to the BFF as a bearer token. */
  viewerToken: string | null = null;

  /** Rows per page, 1 to 100 (spec: Limits). */
  limit: number | string = 25;

  /** Polling interval in seconds while the page is visible; 0 disables polling. */
  refreshSeconds: number | string = 5;

  /** Receives changes over a live stream. The table polls only while no stream is available. */
  live = false;

  /** Names of the columns to show, in display order, separated by spaces. */
  columns = '';

  /** How more rows are loaded: `more` (a button), `pages` (previous and next), or `infinite`. */
  paging: 'more' | 'pages' | 'infinite' = 'more';

  /** Tools above the rows: any of `search filters totals chart export print`. */
  tools = '';

  /** The organization's time zone, such as `America/New_York`; by default the one that the API returns. */
  timeZone = '';

  /** Initial filters, as query parameters of the API: `{ fund_id: 'fund_meals' }`. */
  defaultFilters: Readonly<Record<string, string>> = {};

  /** Custom cells by column: each function receives a row and returns text or a node. */
  renderers: Readonly<Record<string, CellRenderer<Row>>> = {};

  /** Language of texts, dates and money, such as `de-AT`; by default the page's language. */
  locale = '';

  /** Custom messages by name. Messages nested under a language code apply to that language only. */
  messages: MessageOverrides<TablesMessages> | null = null;

  /**
   * @internal Everything that the first rows do not need. Loaded after they are rendered; null if loading
   *   failed.
   */
  features: TableFeatures<Row> | null | undefined;

  /** @internal The shown columns, as of the latest render. */
  shownColumns!: Column<Row>[];
  /** @internal Number of columns, which is the number of lines of a placeholder card. */
  lineCount!: number;
  /** @internal Language and time zone. */
  display!: DisplayOptions;

  /** @internal */
  readonly pages: PagedList<Row>;
  /** @internal */
  writer!: RowWriter<Row>;
  #columnsKey: unknown[] = [];
  #drawnRows: Row[] | undefined;
  #frame: HTMLElement | undefined;
  #featuresLoading: Promise<TableFeatures<Row>> | undefined;

  /** @internal The caption, for example "Donations". */
  get caption(): string {
    return messages[this.pages.component];
  }

  /** @internal The columns that are shown by default; `tables/optional-columns.ts` has the others. */
  abstract defaultColumns(display: DisplayOptions): Column<Row>[];

  constructor(component: Component) {
    super();
    this.pages = new PagedList<Row>(this, component);
  }

  /** Reloads the first page. The rows stay visible until it arrives. */
  refresh(): Promise<void> {
    return this.pages.loadFirstPage();
  }

  /** @internal Loads the rest of the table's code, once. */
  loadFeatures(): Promise<TableFeatures<Row>> {
    return (this.#featuresLoading ??= import('./table-features.ts').then(
      ({ TableFeatures }) => (this.features = new TableFeatures(this)),
      (error: unknown) => {
        this.#featuresLoading = undefined; // The next click tries again.
        this.features = null;
        throw error;
      },
    ));
  }

  /**
   * @internal Resolves when the table can show its rows. Waits for the features if the first render needs
   *   them: translations, chosen columns, an empty table or custom cells.
   */
  async whenReady() {
    const { columns, isUntranslated, pages } = this;
    const customCells =
      this.querySelector(':scope>template') ?? Object.keys(this.renderers ?? {})[0];
    if (isUntranslated || columns || !pages.rows.length || customCells) {
      return (await this.loadFeatures()).ready;
    }
  }

  /** @internal Whether a column is not known yet, or it is not known yet whether the session masks it. */
  get hasUnknownColumns() {
    return this.shownColumns.some(
      ({ label, mask }) => !label || (mask && !this.pages.session?.masks),
    );
  }

  /**
   * @internal True while the first translation is loading. No text is shown during this time, so that
   *   English does not appear first.
   */
  get isUntranslated() {
    const { display, pages, messages } = this;
    return pages.status === 'loading' && (!!messages || !/^en/.test(display.language));
  }

  protected override willUpdate() {
    const { features, pages } = this;
    pages.query ??= this.defaultFilters;
    const provider = findProvider(this);
    const timeZone = findTimeZone(this.timeZone, provider?.timeZone, pages.session?.timeZone);
    const display = (this.display = { language: detectLanguage(this), timeZone });
    // Reuse the columns, and with them the rows, until an input of them changes.
    const { masks } = pages.session ?? {};
    const key = [
      display.language,
      timeZone,
      `${masks}`,
      ...(features?.activateMessages() ?? []),
      features?.cells,
    ];
    if (this.isUntranslated || this.tools || provider?.theme)
      void this.loadFeatures().catch(() => {});
    if (key.every((part, index) => part === this.#columnsKey[index])) return;
    this.#columnsKey = key;
    this.#drawnRows = undefined;
    const defaults = this.defaultColumns(display);
    // Placeholders have the final number of columns, including columns that the features define.
    const requested =
      this.columns
        ?.match(/\w+/g)
        ?.map(
          (name) =>
            defaults.find(({ id }) => id === name) ?? { id: name, label: '', cell: () => '' },
        ) ?? defaults;
    this.lineCount = requested.length;
    this.shownColumns =
      features?.selectColumns(display, defaults) ?? unmaskedColumns(pages, requested);
    this.writer = new RowWriter(this.shownColumns, features?.cells);
  }

  protected override render() {
    return renderTable(this);
  }

  protected override updated() {
    if (!this.#frame) this.#observe((this.#frame = this.renderRoot.querySelector('section')!));
    this.#renderRows();
    if (this.pages.status !== 'loading') this.loadFeatures().catch(() => {});
    this.features?.updated();
  }

  /** Follows the width of the frame, and listens to clicks. Called once the frame is rendered. */
  #observe(frame: HTMLElement) {
    const updateLayout = () => frame.classList.toggle('cards', frame.offsetWidth < 720);
    // Measured synchronously, so that the first frame has the right layout:
    // docs/decisions/0044-tables.md
    updateLayout();
    new ResizeObserver(updateLayout).observe(frame);
    // A single click listener for all buttons and rows; `table-features.ts` handles the click.
    this.renderRoot.addEventListener('click', async (event) => {
      const path = event.composedPath() as Element[]; // The path is empty after an await.
      (await this.loadFeatures()).handleClick(path);
    });
  }

  /**
   * Renders placeholders, and then the first rows at once. Later changes are made by the row reconciler
   * of the features.
   */
  #renderRows() {
    const { features, pages, writer } = this;
    const { limit, rows, status } = pages;
    const body = this.renderRoot.querySelector<HTMLElement>('.rows,.skeleton');
    if (!body || (features && status === 'ready')) return void (body && features!.renderRows(body));
    if (body.firstChild && this.#drawnRows === rows) return;
    this.#drawnRows = rows;
    const drawn = status === 'loading' ? [...Array<undefined>(limit)] : rows;
    body.replaceChildren(...drawn.slice(0, 100).map((row) => writer.createRow(row)));
  }
}
