import { ConnectEvent } from './events.ts';

/** A row was clicked. If the event is canceled, the details dialog does not open. */
export class ConnectRowClickEvent extends ConnectEvent {
  readonly row: { readonly id: string };
  constructor(row: { readonly id: string }) {
    super('connect-row-click', true);
    this.row = row;
  }
}

/** The viewer changed or cleared the search or filters of a table. */
export class ConnectFilterChangeEvent extends ConnectEvent {
  /** The current filters as query parameters of the API, in the shape of `defaultFilters`. */
  readonly filters: Readonly<Record<string, string>>;
  constructor(filters: Readonly<Record<string, string>>) {
    super('connect-filter-change');
    this.filters = filters;
  }
}

declare global {
  interface HTMLElementEventMap {
    'connect-row-click': ConnectRowClickEvent;
    'connect-filter-change': ConnectFilterChangeEvent;
  }
}
