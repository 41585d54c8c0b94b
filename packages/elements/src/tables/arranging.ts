import type { Narrowing } from './narrowing.ts';
import { valueOf } from './more-columns.ts';
import type { Resource, TableElement } from './table-element.ts';

/** The column that rows are sorted by. */
export interface Sort {
  id: string;
  down: boolean;
}

/** What is loaded, found and sorted. */
export class Arranging<Row extends Resource> {
  sort: Sort | undefined;
  readonly #table: TableElement<Row>;
  readonly #narrowing: Narrowing<Row>;
  #key: unknown[] = [];
  #rows: Row[] = [];

  constructor(table: TableElement<Row>, narrowing: Narrowing<Row>) {
    this.#table = table;
    this.#narrowing = narrowing;
  }

  /** Up, down, and as it came. */
  sortBy(id: string) {
    const { id: known, down } = this.sort ?? {};
    this.sort = known !== id ? { id, down: false } : down ? undefined : { id, down: true };
  }

  /** Arranged once for each change of what it is made of. */
  get rows(): Row[] {
    const { pages, look } = this.#table;
    const key = [pages.rows, this.sort, this.#narrowing.sought, look.language];
    if (key.some((part, index) => part !== this.#key[index])) {
      this.#key = key;
      this.#rows = this.#order(this.#narrowing.matching(pages.rows));
    }
    return this.#rows;
  }

  #order(rows: Row[]): Row[] {
    if (!this.sort) return rows;
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
