import type { Component } from '@connect-embed/contract';
import { LitElement, type PropertyDeclarations } from 'lit';
import type { TextOverrides } from '../internal/language.ts';
import { findTimeZone } from '../internal/format.ts';
import { detectLanguage } from '../internal/detect-language.ts';
import { tableTexts } from '../internal/messages/tables.ts';
import type { TablesTexts } from '../internal/messages/tables-texts.ts';
import { findProvider } from '../internal/default-provider.ts';
import { PagedList } from '../internal/paged-list.ts';
import { RowWriter } from '../internal/row-writer.ts';
import { renderTable, type Column } from '../internal/table-view.ts';
import { tableStyles } from '../internal/table.styles.ts';
import { tokens } from '../internal/tokens.styles.ts';
import { unmaskedColumns } from './unmasked-columns.ts';
import type { TableFeatures } from './table-features.ts';

/** What every resource of a list has. */
export interface Resource {
  id: string;
}

/** How a table is asked to show its rows. */
export interface DisplayOptions {
  language: string;
  timeZone: string | undefined;
}

/** Fills a cell: a text is shown as text, never read as HTML. */
export type CellRenderer<Row> = (row: Row) => string | Node;

/**
 * What the three tables have in common: their attributes, and their way to rows.
 *
 * A base class, for attributes cannot come from a controller: docs/decisions/0044-tables-on-demand.md
 *
 * @fires {ConnectLoadStartEvent} connect-loaderstart - The first page is being read.
 * @fires {ConnectReadyEvent} connect-ready - The first page is shown.
 * @fires {ConnectLoadErrorEvent} connect-loaderror - A page could not be read.
 * @fires {ConnectRowClickEvent} connect-row-click - A row was pressed; cancel it and no details open.
 * @csspart frame - The card around the table.
 * @csspart table - The `<table>`.
 * @csspart tools - What stands above the rows.
 * @csspart more - The button that reads the next page, or those that go back and forth.
 * @csspart details - The dialog with one row's details.
 * @csspart fields - The list in it, the `<dl>`.
 * @csspart parts - In the details of a payout: the `<table>` of what it is made of.
 * @cssproperty [--connect-color-primary] - Buttons, links and focus.
 * @cssproperty [--connect-color-background] - Behind the table.
 * @cssproperty [--connect-color-text] - Text; lines and hints are mixed from it.
 * @cssproperty [--connect-color-danger] - Problems.
 * @cssproperty [--connect-border-radius=10px] - Corners.
 * @cssproperty [--connect-spacing-unit=4px] - All distances are multiples of it.
 * @cssproperty [--connect-font-family=inherit] - Font; the page's own by default.
 * @cssproperty [--connect-font-size-base=inherit] - Size that all text is measured from.
 */
export abstract class TableElement<Row extends Resource> extends LitElement {
  static override styles = [tokens, tableStyles];

  // Written out: for so many, decorators weigh more than what they say.
  static override properties: PropertyDeclarations = {
    server: {},
    viewerToken: { attribute: 'viewer-token' },
    limit: { type: Number },
    refreshSeconds: { type: Number, attribute: 'refresh-seconds' },
    live: { type: Boolean },
    columns: {},
    paging: {},
    tools: {},
    timeZone: { attribute: 'time-zone' },
    defaultFilters: { attribute: false },
    renderers: { attribute: false },
    locale: {},
    texts: { type: Object },
    features: { state: true },
  };

  /** Where the server answers; by default where the script came from. */
  server = '';

  /** Says who is looking; the page's own server makes it. Sent to the server as a bearer token. */
  viewerToken: string | null = null;

  /** Rows read at a time, 1 to 100 (spec: Limits). */
  limit = 25;

  /** Seconds between two looks for new rows while the page is seen; 0 never looks. */
  refreshSeconds = 5;

  /** Changes come by themselves, as they happen; it looks for them only where that cannot be had. */
  live = false;

  /** Which columns are shown and in what order, by their names, with spaces between. */
  columns = '';

  /** How further rows come: `more` (a button), `pages` (back and forth), or `infinite`. */
  paging: 'more' | 'pages' | 'infinite' = 'more';

  /** What stands above the rows: any of `search filters totals chart export print`. */
  tools = '';

  /** The organization's zone, such as `America/New_York`; by default as the API tells it. */
  timeZone = '';

  /** Narrows what is read from the first row on, in the API's words: `{ fund_id: 'fund_meals' }`. */
  defaultFilters: Readonly<Record<string, string>> = {};

  /** Cells of your own, by column: each function takes a row and returns a text or a node. */
  renderers: Readonly<Record<string, CellRenderer<Row>>> = {};

  /** Language of texts, dates and money, such as `de-AT`; by default the page's. */
  locale = '';

  /** Your own words, by name; those under a language's name are for that language alone. */
  texts: TextOverrides<TablesTexts> | null = null;

  /** @internal Everything that is not needed for the first rows; there once they are drawn, or null. */
  features: TableFeatures<Row> | null | undefined;

  /** @internal The columns that are shown; as the latest drawing found them. */
  shownColumns!: Column<Row>[];
  /** @internal How many columns the outline has; as many lines a card keeps. */
  lines!: number;
  /** @internal How they are shown. */
  display!: DisplayOptions;

  /** @internal */
  readonly pages: PagedList<Row>;
  /** @internal */
  writer!: RowWriter<Row>;
  #columnsKey: unknown[] = [];
  #drawnRows: Row[] | undefined;
  #featuresLoading: Promise<TableFeatures<Row>> | undefined;

  /** @internal What the table is called. */
  get caption(): string {
    return tableTexts[this.pages.component];
  }

  /** @internal The columns that are shown by default; more are in `tables/optional-columns.ts`. */
  abstract defaultColumns(look: DisplayOptions): Column<Row>[];

  constructor(component: Component) {
    super();
    this.pages = new PagedList<Row>(this, component);
  }

  /** Forgets what is shown and reads the first page again. */
  refresh(): Promise<void> {
    return this.pages.first();
  }

  /** @internal The rest of the table; fetched once. */
  loadFeatures(): Promise<TableFeatures<Row>> {
    return (this.#featuresLoading ??= import('./table-features.ts').then(
      ({ TableFeatures }) => (this.features = new TableFeatures(this)),
      (error: unknown) => {
        this.#featuresLoading = undefined; // Asked again with the next press.
        this.features = null;
        throw error;
      },
    ));
  }

  /** @internal What we do not have yet is drawn at once, not after something else. */
  async beforeShown() {
    const { columns, isUntranslated, pages } = this;
    const own = this.querySelector(':scope>template') ?? Object.keys(this.renderers ?? {})[0];
    if (isUntranslated || columns || !pages.rows.length || own) {
      return (await this.loadFeatures()).ready;
    }
  }

  /** @internal Not all columns are known, or whether the session leaves them. */
  get unsure() {
    return this.shownColumns.some(
      ({ label, mask }) => !label || (mask && !this.pages.session?.masks),
    );
  }

  /** @internal Its words are on their way: nothing is said rather than in another language. */
  get isUntranslated() {
    const { display, pages, texts } = this;
    return pages.status === 'loading' && (!!texts || !/^en/.test(display.language));
  }

  protected override willUpdate() {
    const { features, pages } = this;
    pages.query ??= this.defaultFilters;
    const provider = findProvider(this);
    const timeZone = findTimeZone(this.timeZone, provider?.timeZone, pages.session?.timeZone);
    const look = (this.display = { language: detectLanguage(this), timeZone });
    // Columns stay the same ones, and with them the rows, until something that makes them changes.
    const { masks } = pages.session ?? {};
    const key = [
      look.language,
      timeZone,
      `${masks}`,
      ...(features?.speak() ?? []),
      features?.cells,
    ];
    if (this.isUntranslated || this.tools || provider?.theme)
      void this.loadFeatures().catch(() => {});
    if (key.every((part, index) => part === this.#columnsKey[index])) return;
    this.#columnsKey = key;
    this.#drawnRows = undefined;
    const defaults = this.defaultColumns(look);
    // As many as there will be, also of those whose names are not here yet.
    const requested =
      this.columns
        ?.match(/\w+/g)
        ?.map(
          (name) =>
            defaults.find(({ id }) => id === name) ?? { id: name, label: '', cell: () => '' },
        ) ?? defaults;
    this.lines = requested.length;
    this.shownColumns = features?.choose(look, defaults) ?? unmaskedColumns(pages, requested);
    this.writer = new RowWriter(this.shownColumns, features?.cells);
  }

  protected override firstUpdated() {
    const { renderRoot } = this;
    const frame = renderRoot.firstElementChild as HTMLElement;
    const updateLayout = () => frame.classList.toggle('cards', frame.offsetWidth < 720);
    // At once, for the first frame, too: docs/decisions/0064-what-a-cell-costs.md
    updateLayout();
    new ResizeObserver(updateLayout).observe(frame);
    // One ear for every button and row: what a press means, the rest knows.
    renderRoot.addEventListener('click', async (event) => {
      const path = event.composedPath() as Element[]; // Gone once we have waited.
      (await this.loadFeatures()).handleClick(path);
    });
  }

  protected override render() {
    return renderTable(this);
  }

  protected override updated() {
    this.#renderRows();
    if (this.pages.status !== 'loading') this.loadFeatures().catch(() => {});
    this.features?.updated();
  }

  /** Outlines, and then the first rows, all at once; later ones are brought to their places. */
  #renderRows() {
    const { features, pages, writer } = this;
    const { limit, rows, status } = pages;
    const body = this.renderRoot.querySelector<HTMLElement>('.rows,.blank');
    if (!body || (features && status === 'ready')) return void (body && features!.renderRows(body));
    if (body.firstChild && this.#drawnRows === rows) return;
    this.#drawnRows = rows;
    const drawn = status === 'loading' ? [...Array<undefined>(limit)] : rows;
    body.replaceChildren(...drawn.slice(0, 100).map((row) => writer.createRow(row)));
  }
}
