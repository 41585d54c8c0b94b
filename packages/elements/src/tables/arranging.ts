import type { Component } from '@connect-embed/contract';
import { valueOf } from './more-columns.ts';
import type { Resource, TableElement } from './table-element.ts';

/** The column that rows are sorted by. */
export interface Sort {
  id: string;
  down: boolean;
}

/** Columns that the API sorts by, and its names of them. */
const SERVER_KEYS: Readonly<Record<Component, Readonly<Record<string, string>>>> = {
  donations: { created_at: 'created_at', donor: 'donor_name', amount: 'amount_cents' },
  donors: { name: 'name', created_at: 'created_at' },
  payouts: { arrival_date: 'arrival_date', amount: 'amount_cents', created: 'created' },
};

/**
 * The order of the rows: the API's, over everything that matches. By a column that the API does not
 * sort by, rows are sorted here, and only where all of them are loaded.
 */
export class Arranging<Row extends Resource> {
  #sort: Sort | undefined;
  readonly #table: TableElement<Row>;
  #key: unknown[] = [];
  #rows: Row[] = [];

  constructor(table: TableElement<Row>) {
    this.#table = table;
  }

  /** The order that is in force. */
  get sort(): Sort | undefined {
    return this.#sort && this.sorts(this.#sort.id) ? this.#sort : undefined;
  }

  /** Whether everything that matches can be sorted by a column. */
  sorts(id: string): boolean {
    return this.#serverKey(id) !== undefined || !this.#table.pages.hasMore;
  }

  /** Up, down, and as it came. */
  sortBy(id: string) {
    if (!this.sorts(id)) return;
    const { id: known, down } = this.#sort ?? {};
    this.#sort = known !== id ? { id, down: false } : down ? undefined : { id, down: true };
    const { pages } = this.#table;
    const key = this.#serverKey(id);
    // Sorted here, whatever order the API gave them in.
    let order = this.#sort && pages.sort;
    if (this.#sort && key) order = `${this.#sort.down ? '-' : ''}${key}`;
    if (order === pages.sort) return;
    pages.sort = order;
    void this.#table.refresh();
  }

  /** Arranged once for each change of what it is made of. */
  get rows(): Row[] {
    const { pages, look } = this.#table;
    const key = [pages.rows, this.sort, look.language];
    if (key.some((part, index) => part !== this.#key[index])) {
      this.#key = key;
      this.#rows = this.#order(pages.rows);
    }
    return this.#rows;
  }

  #serverKey(id: string) {
    return SERVER_KEYS[this.#table.pages.component][id];
  }

  #order(rows: Row[]): Row[] {
    if (!this.sort || this.#serverKey(this.sort.id)) return rows;
    const { id, down } = this.sort;
    const { component } = this.#table.pages;
    const { language } = this.#table.look;
    const { compare } = new Intl.Collator(language, { numeric: true });
    const sign = down ? -1 : 1;
    const keyed = rows.map((row) => ({ row, key: valueOf(component, id, row, language) }));
    keyed.sort((one, other) => {
      if (one.key === null || other.key === null) {
        return Number(one.key === null) - Number(other.key === null); // What is unknown comes last.
      }
      const numbers = typeof one.key === 'number' && typeof other.key === 'number';
      const order = numbers
        ? (one.key as number) - (other.key as number)
        : compare(`${one.key}`, `${other.key}`);
      return sign * order;
    });
    return keyed.map(({ row }) => row);
  }
}
