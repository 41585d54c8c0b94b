import type { Component, Mask } from '@connect-embed/contract';
import { cellValue } from './cell-values.ts';
import type { TableElement } from './table-element.ts';
import type { Resource } from './column.ts';

/** The column that rows are sorted by. */
interface SortOrder {
  id: string;
  isDescending: boolean;
}

/** The value of the API's `sort` parameter, and the mask under which the API refuses it. */
type SortParameter = readonly [value: string, mask?: Mask];

/** Columns that the API can sort by. */
const SORT_PARAMETERS: Readonly<Record<Component, Readonly<Record<string, SortParameter>>>> = {
  donations: {
    created_at: ['created_at'],
    donor: ['donor_name', 'names'],
    amount: ['amount_cents'],
  },
  donors: { name: ['name', 'names'], created_at: ['created_at'] },
  payouts: { arrival_date: ['arrival_date'], amount: ['amount_cents'], created: ['created'] },
};

/**
 * The sort order of a table. The API sorts over all matching rows. For other columns the rows are
 * sorted in the browser, which is only possible when all of them are loaded.
 */
export class Sorting<Row extends Resource> {
  #sort: SortOrder | undefined;
  readonly #table: TableElement<Row>;
  #key: unknown[] = [];
  #rows: Row[] = [];

  constructor(table: TableElement<Row>) {
    this.#table = table;
  }

  /** The active sort order; undefined if the chosen column cannot be sorted by now. */
  get sort(): SortOrder | undefined {
    return this.#sort && this.canSortBy(this.#sort.id) ? this.#sort : undefined;
  }

  /** Whether all matching rows can be sorted by this column. */
  canSortBy(id: string): boolean {
    return this.#serverKey(id) !== undefined || !this.#table.pages.hasMore;
  }

  /**
   * Switches from ascending to descending to the API's default order. If the API refuses the order, the
   * table shows the rows and the order of before.
   */
  async toggleSort(id: string) {
    if (!this.canSortBy(id)) return;
    const before = this.#sort;
    const { id: known, isDescending } = this.#sort ?? {};
    this.#sort =
      known !== id
        ? { id, isDescending: false }
        : isDescending
          ? undefined
          : { id, isDescending: true };
    const { pages } = this.#table;
    const key = this.#serverKey(id);
    // A column sorted in the browser works with any API order, so the current one is kept.
    let order = this.#sort && pages.sort;
    if (this.#sort && key) order = `${this.#sort.isDescending ? '-' : ''}${key}`;
    if (order === pages.sort) return;
    pages.sort = order;
    await this.#table.refresh();
    if (pages.sort === order) return;
    this.#sort = before;
    this.#table.requestUpdate();
  }

  /** The rows in display order, cached until the rows, the sort order or the language change. */
  get rows(): Row[] {
    const { pages, display } = this.#table;
    const key = [pages.rows, this.sort, display.language];
    if (key.some((part, index) => part !== this.#key[index])) {
      this.#key = key;
      this.#rows = this.#sortRows(pages.rows);
    }
    return this.#rows;
  }

  /** The API's `sort` parameter of a column; undefined if the API cannot sort by it in this session. */
  #serverKey(id: string): string | undefined {
    const { component, session } = this.#table.pages;
    const [key, mask] = SORT_PARAMETERS[component][id] ?? [];
    return mask && session?.masks?.includes(mask) ? undefined : key;
  }

  #sortRows(rows: Row[]): Row[] {
    if (!this.sort || this.#serverKey(this.sort.id)) return rows;
    const { id, isDescending } = this.sort;
    const { component } = this.#table.pages;
    const { language, messages } = this.#table.display;
    const { compare } = new Intl.Collator(language, { numeric: true });
    const direction = isDescending ? -1 : 1;
    const rowsWithKeys = rows.map((row) => ({ row, key: cellValue(component, id, row, messages) }));
    rowsWithKeys.sort((one, other) => {
      if (one.key === null || other.key === null) {
        return Number(one.key === null) - Number(other.key === null); // Unknown values are last.
      }
      const numbers = typeof one.key === 'number' && typeof other.key === 'number';
      const order = numbers
        ? (one.key as number) - (other.key as number)
        : compare(`${one.key}`, `${other.key}`);
      return direction * order;
    });
    return rowsWithKeys.map(({ row }) => row);
  }
}
