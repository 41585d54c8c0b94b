import { ConnectEvent } from './events.ts';

/** A row was pressed. Canceled, no details open. */
export class ConnectRowClickEvent extends ConnectEvent {
  readonly row: { readonly id: string };
  constructor(row: { readonly id: string }) {
    super('connect-row-click', true);
    this.row = row;
  }
}

/** The viewer narrowed the table, or let go. */
export class ConnectFilterChangeEvent extends ConnectEvent {
  /** In the API's words, as `defaultFilters` takes them. */
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
