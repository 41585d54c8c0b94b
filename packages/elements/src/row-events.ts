import type { Donation, Donor, Payout } from '@connect-embed/contract';
import { ConnectEvent } from './events.ts';

/** The rows of the tables by their resource type, which is the `object` property of a row. */
export interface RowsByType {
  donation: Donation;
  donor: Donor;
  payout: Payout;
}

/** Dispatched when a row is clicked. If the event is canceled, the details dialog does not open. */
export class ConnectRowClickEvent<
  Type extends keyof RowsByType = keyof RowsByType,
> extends ConnectEvent {
  readonly resourceType: Type;
  readonly row: RowsByType[Type];
  constructor(row: RowsByType[Type]) {
    super('connect-row-click', true);
    this.resourceType = row.object as Type;
    this.row = row;
  }
}

/** The click event of any table: a check of `resourceType` narrows the type of `row`. */
export type AnyRowClickEvent = {
  [Type in keyof RowsByType]: ConnectRowClickEvent<Type>;
}[keyof RowsByType];

/** Dispatched when the viewer changed or cleared the search or filters of a table. */
export class ConnectFilterChangeEvent extends ConnectEvent {
  /** The current filters as query parameters of the API, in the shape of `defaultFilters`. */
  readonly filters: Readonly<Record<string, string>>;
  constructor(filters: Readonly<Record<string, string>>) {
    super('connect-filter-change');
    this.filters = filters;
  }
}

/** Which columns of a table a viewer has chosen, as a page can store it. */
export interface ColumnChoice {
  /** Names of the shown columns in their order; absent or undefined for the page's. */
  columns?: readonly string[] | undefined;
  /** Widths of columns in pixels, by name. */
  widths?: Readonly<Record<string, number>> | undefined;
}

/** Dispatched when the viewer showed, hid or resized a column. */
export class ConnectColumnsChangeEvent extends ConnectEvent {
  /** The whole choice, in the shape of the property `columnChoice`. */
  readonly choice: ColumnChoice;
  constructor(choice: ColumnChoice) {
    super('connect-columns-change');
    this.choice = choice;
  }
}

declare global {
  interface HTMLElementEventMap {
    'connect-columns-change': ConnectColumnsChangeEvent;
    'connect-row-click': AnyRowClickEvent;
    'connect-filter-change': ConnectFilterChangeEvent;
  }
}
