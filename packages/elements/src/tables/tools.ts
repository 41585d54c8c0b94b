import { ConnectError } from '@connect-embed/contract/error';
import { html, nothing } from 'lit';
import type { OwnCells } from '../internal/rows.ts';
import type { Column } from '../internal/table.ts';
import { Arranging } from './arranging.ts';
import { checkAttributes } from './attributes.ts';
import { ChartPlace } from './chart-place.ts';
import { formatCount } from './count.ts';
import { Details } from './details.ts';
import { ExportButton } from './export-button.ts';
import { renderFace } from './faces.ts';
import { Narrowing } from './narrowing.ts';
import { ownCells } from './own-cells.ts';
import { unmasked } from './masked.ts';
import { moreColumns, valueOf } from './more-columns.ts';
import { Paging } from './paging.ts';
import { Printing } from './printing.ts';
import { followProviderTheme } from './provider-theme.ts';
import { Reading } from './reading.ts';
import { Renewal } from './renewal.ts';
import { RowPlaces } from './row-places.ts';
import { RowsWindow } from './rows-window.ts';
import { SecondTry } from './second-try.ts';
import { Speech } from './speech.ts';
import type { Look, Resource, TableElement } from './table-element.ts';
import { lateTexts as texts } from './texts.ts';
import { toolsStyles } from './tools.styles.ts';
import { Totals } from './totals.ts';
import { walk } from './walking.ts';
import { wordsOf } from './words.ts';

const TOOLS = ['search', 'filters', 'totals', 'chart', 'export', 'print'];

/**
 * Everything of a table that its first rows do not need: one file, fetched once they are drawn.
 *
 * The element asks it for each part by name, and draws without it until it is there.
 */
export class Tools<Row extends Resource> {
  cells: OwnCells<Row> | undefined;
  #renderers: unknown;
  #explained: unknown;
  readonly #table: TableElement<Row>;
  readonly #reading: Reading<Row>;
  readonly #details: Details<Row>;
  readonly #narrowing: Narrowing<Row>;
  readonly #totals: Totals<Row>;
  readonly #chart: ChartPlace<Row>;
  readonly #window: RowsWindow;
  readonly #places: RowPlaces<Row>;
  readonly #speech: Speech;
  readonly #arranging: Arranging<Row>;
  readonly #paging: Paging<Row>;
  readonly #export: ExportButton<Row>;
  readonly #printing: Printing<Row>;
  readonly #secondTry: SecondTry<Row>;
  readonly #renewal: Renewal<Row>;

  constructor(table: TableElement<Row>) {
    this.#table = table;
    this.#readCells();
    this.#reading = new Reading(table);
    this.#details = new Details(table);
    this.#narrowing = new Narrowing(table);
    this.#arranging = new Arranging(table);
    this.#printing = new Printing(table, this.#reading, (all) => this.#drawAll(all));
    this.#paging = new Paging(table, this.#reading, () => this.#arranging.rows);
    this.#export = new ExportButton(table);
    this.#secondTry = new SecondTry(table.pages);
    this.#renewal = new Renewal(table.pages, () => this.#forget());
    this.#totals = new Totals(table);
    this.#chart = new ChartPlace(table);
    this.#speech = new Speech(table);
    this.#window = new RowsWindow(() => table.requestUpdate());
    this.#places = new RowPlaces(table);
    table.addController({ hostDisconnected: () => this.#rest() });
    const sheet = toolsStyles.styleSheet!;
    const root = table.renderRoot as ShadowRoot;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    table.addEventListener(
      'keydown',
      (event) => void walk(event, table, this.#arranging.rows, this.#window),
    );
  }

  /** Its words are here, or will not come. */
  get ready() {
    return this.#speech.ready;
  }

  #readCells() {
    this.#renderers = this.#table.renderers;
    this.cells = ownCells<Row>(this.#table);
  }

  /** Puts its words in place, and answers with what makes its columns other than usual. */
  speak(): unknown[] {
    if (this.#renderers !== this.#table.renderers) this.#readCells();
    this.#speech.speak();
    return [this.#table.columns || undefined, this.#speech.own];
  }

  get narrowed() {
    return this.#narrowing.active;
  }

  /** The columns that the page asks for, of all there are. */
  choose(look: Look, usual: Column<Row>[]): Column<Row>[] {
    const all = [...usual, ...moreColumns<Row>(this.#table.pages.component, look)];
    const names = wordsOf(
      this.#table,
      'columns',
      all.map(({ id }) => id),
    );
    const chosen = names.length ? names.map((name) => all.find(({ id }) => id === name)!) : usual;
    const left = unmasked(this.#table.pages, chosen);
    // A row without a name could not be opened by keyboard.
    return left.some(({ names }) => names)
      ? left
      : left.map((column, index) => (index ? column : { ...column, names: true }));
  }

  /** Every column, whether it is shown or not. */
  get everyColumn(): Column<Row>[] {
    const { look, pages } = this.#table;
    const all = [...this.#table.usualColumns(look), ...moreColumns<Row>(pages.component, look)];
    return unmasked(pages, all);
  }

  valueOf(column: string, row: Row) {
    return valueOf(this.#table.pages.component, column, row, this.#table.look.language);
  }

  /** Sorts everything that matches: up, down, and as it came. */
  sortBy(id: string) {
    this.#arranging.sortBy(id);
    this.#paging.restart();
    this.#window.forget();
    this.#table.requestUpdate();
  }

  more() {
    return this.#reading.more();
  }

  /** A press somewhere in the table; one on a link or a button of the page's own is theirs. */
  pressed(path: Element[]) {
    const on = (selector: string) => path.find((node) => node.matches?.(selector));
    const sort = on('.sort') as HTMLButtonElement | undefined;
    if (sort) return this.sortBy(sort.value);
    if (on('.more button')) return void this.more();
    const row = on('tr[data-id]');
    const taken = path
      .slice(0, row ? path.indexOf(row) : 0)
      .some((node) => node.matches?.('a,button:not(.open),input,select,label,summary'));
    const pressed = this.#table.pages.rows.find(({ id }) => id === row?.getAttribute('data-id'));
    if (pressed && !taken && !getSelection()?.toString()) this.#details.open(pressed);
  }

  /** At once: what is printed is what stands there when this returns. */
  #drawAll(all: boolean) {
    this.#window.everything = all;
    const body = this.#table.renderRoot.querySelector<HTMLElement>('.rows');
    if (body) this.place(body);
    this.#table.requestUpdate();
  }

  /** Draws the rows of now. */
  place(body: HTMLElement) {
    const page = this.#window.everything ? undefined : this.#paging.rows;
    const rows = page ?? this.#window.slice(this.#arranging.rows, body);
    this.#places.place(body, rows);
  }

  /** After every drawing. */
  updated() {
    if (!this.#table.isConnected) return this.#rest();
    checkAttributes(this.#table);
    followProviderTheme(this.#table);
    this.#secondTry.follow();
    this.#renewal.follow();
    this.#explainFailure();
    this.#reading.follow();
    const news = this.#reading.takeNews();
    if (this.#asks('totals')) this.#totals.follow(news);
    if (this.#asks('chart')) this.#chart.follow(news);
    this.#narrowing.follow();
    this.#printing.follow();
    this.#details.updated();
    this.#window.drawn();
    this.#label();
    this.#paging.follow();
  }

  /** Why a server cannot be read is for the page's owner, in the console; once for each failure. */
  #explainFailure() {
    const { error, session, status } = this.#table.pages;
    if (status !== 'failed' || error === this.#explained) return;
    this.#explained = error;
    // With a session, it was the API that failed.
    const asked = session && !session.minted && !session.source.fetchSession;
    const silent = error instanceof ConnectError && (error.cause || / 404\.$/.test(error.message));
    if (!asked || !silent) return;
    import('../internal/why-unreachable.ts')
      .then(({ explainUnreachable }) => explainUnreachable(session.source.server))
      .then((why) => console.error(`<${this.#table.localName}> ${why}`))
      .catch(() => {});
  }

  /** Tells readers how the rows are sorted, and which of how many are drawn. */
  #label() {
    const { renderRoot, pages } = this.#table;
    const arranging = this.#arranging;
    const { sort, rows } = arranging;
    for (const button of renderRoot.querySelectorAll<HTMLButtonElement>('.sort')) {
      const sorted = sort?.id === button.value;
      const order = sort?.down ? 'descending' : 'ascending';
      (button.parentElement as HTMLElement).ariaSort = sorted ? order : null;
      button.disabled = !arranging.sorts(button.value);
    }
    const table = renderRoot.querySelector('table');
    if (!table) return;
    const { active, from } = this.#window;
    // The header counts; -1 while nobody knows.
    const count = pages.hasMore ? -1 : rows.length + 1;
    table.ariaRowCount = active ? `${count}` : null;
    for (const [index, row] of [...renderRoot.querySelectorAll('.rows tr')].entries()) {
      const place = active ? `${from + index + 2}` : null;
      if (row.ariaRowIndex !== place) row.ariaRowIndex = place;
    }
  }

  /** Other rows are another's: nothing that was made of those before stays. */
  #forget() {
    const made = [this.#details, this.#totals, this.#chart, this.#narrowing];
    for (const one of made) one.forget();
    this.#export.cancel();
    this.#table.requestUpdate();
  }

  /** Nothing outside of the element may hold it. */
  #rest() {
    this.#window.stop();
    this.#secondTry.rest();
    this.#paging.rest();
    this.#narrowing.rest();
    this.#printing.rest();
    this.#export.cancel();
  }

  above() {
    if (this.#speech.silent) return nothing;
    const { sought, found } = this.#narrowing;
    return html`${this.#asks('search') ? this.#narrowing.renderSearch() : nothing}
    ${this.#asks('filters') ? this.#narrowing.renderFilters() : nothing}
    ${this.#asks('export') ? this.#export.render() : nothing}
    ${this.#asks('print') ? this.#printing.renderButton() : nothing}
    ${
      sought
        ? html`<span class="found" role="status">
            ${found === undefined ? nothing : found ? texts.found(this.#count(found)) : texts.nothing}
          </span>`
        : nothing
    }
    ${this.#asks('totals') ? this.#totals.render() : nothing}
    ${this.#asks('chart') ? this.#chart.render() : nothing}`;
  }

  face() {
    return renderFace(this.#table);
  }

  /** Back and forth, where the page asks for that; else the element's own button. */
  paging() {
    return this.#paging.render();
  }

  beside() {
    return html`${this.#printing.renderNote()}${this.#details.render()}`;
  }

  /** Said politely, and only when something has happened. */
  spoken(): string {
    const { pages, caption, shown } = this.#table;
    if (pages.status === 'loading') return texts.loading(caption);
    if (pages.stale) return texts.paused;
    const { added } = this.#reading;
    if (added) return texts.added(added, caption);
    const by = shown.find(({ id }) => id === this.#arranging.sort?.id);
    return by ? texts.sorted(by.label) : '';
  }

  #asks(tool: string) {
    const { component } = this.#table.pages;
    const tools = component === 'donations' ? TOOLS : ['search', 'export', 'print'];
    return wordsOf(this.#table, 'tools', tools).includes(tool);
  }

  #count(value: number) {
    return formatCount(value, this.#table.look.language);
  }
}
