import type { ConnectElement } from '../shared/connect-element.ts';
import type { TablesMessages } from '../shared/message-types.ts';
import type { MessageOverrides } from '../shared/language.ts';
import type { CellRenderer, Column, DisplayOptions, Resource } from './column.ts';
import type { PagedList } from './paged-list.ts';
import type { CellOverrides, RowWriter } from './row-writer.ts';

/**
 * A table element as its view and its features see it. `table-element.ts` implements it, and
 * documents the attributes.
 *
 * The features import this interface and not the element, and the view imports `LazyFeatures` and
 * not the features, because each would otherwise import the other.
 */
export interface TableHost<Row extends Resource> extends ConnectElement {
  readonly refreshSeconds: number | string;
  readonly live: boolean;
  readonly columns: string;
  readonly paging: string;
  readonly tools: string;
  readonly defaultFilters: Readonly<Record<string, string>>;
  readonly renderers: Readonly<Record<string, CellRenderer<Row>>>;
  readonly locale: string;
  readonly messages: MessageOverrides<TablesMessages> | null;

  /** The loaded rows and the state of loading. */
  readonly pages: PagedList<Row>;
  /** The features; undefined until they are loaded, and null if loading failed. */
  readonly features: LazyFeatures<Row> | null | undefined;
  /** Language and time zone, as of the latest update. */
  readonly display: DisplayOptions;
  /** The shown columns, as of the latest update. */
  readonly shownColumns: Column<Row>[];
  /** Number of columns, which is the number of lines of a placeholder card. */
  readonly lineCount: number;
  /** Creates the rows of the shown columns. */
  readonly writer: RowWriter<Row>;
  /** The caption, for example "Donations". */
  readonly caption: string;
  /** Whether a column is not known yet, or it is not known yet whether the session masks it. */
  readonly hasUnknownColumns: boolean;
  /**
   * True while the first translation is loading. No text is shown during this time, so that English
   * does not appear first.
   */
  readonly isUntranslated: boolean;

  /** The columns that are shown by default; `optional-columns.ts` has the others. */
  defaultColumns(display: DisplayOptions): Column<Row>[];
  /** Reloads the first page. The rows stay visible until it arrives. */
  refresh(): Promise<void>;
}

/** The features of a table as the element and its view use them: `table-features.ts`. */
export interface LazyFeatures<Row extends Resource> {
  /** Resolves when the messages of the language are loaded or have failed to load. */
  readonly ready: Promise<unknown>;
  /** Custom cells of the page, by column. */
  readonly cells: CellOverrides<Row> | undefined;
  /** True if the viewer has set filters or searches. */
  readonly isFiltered: boolean;
  /** All columns, shown or not, except masked ones. */
  readonly allColumns: Column<Row>[];

  /** Activates this table's messages, and returns the inputs that change its columns. */
  activateMessages(): unknown[];
  /** The columns that the `columns` attribute names, or else the default ones. */
  selectColumns(display: DisplayOptions, defaults: Column<Row>[]): Column<Row>[];
  /** The value of a column as plain text for a file, or undefined if it is only a cell. */
  valueOf(column: string, row: Row): string | number | null | undefined;
  /** Handles a click. `path` is the event's composed path. */
  handleClick(path: Element[]): void;
  /** Renders the rows of the current page or of the visible range. */
  renderRows(body: HTMLElement): void;
  /** Called after every render of the element. */
  updated(): void;

  renderToolbar(): unknown;
  /** Renders the empty or error state, which is shown in place of the table. */
  renderState(): unknown;
  /** Renders the button that loads more rows, or the buttons of the `pages` mode. */
  renderPaging(): unknown;
  renderDialogs(): unknown;
  /** Text of the live region for screen readers; empty if there is nothing to announce. */
  announcement(): string;
}
