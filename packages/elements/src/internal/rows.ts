import type { Resource } from '../tables/table-element.ts';
import { make } from './format.ts';
import type { Column } from './table.ts';

/** Cells of the page's own, by column. */
export type OwnCells<Row> = ReadonlyMap<string, (row: Row, cell: Element) => string | Node>;

/**
 * Writes rows: one row of the shown columns is made once and cloned, and each of its cells is
 * filled. Lit draws what stands around: docs/decisions/0056-written-rows.md
 */
export class RowWriter<Row extends Resource> {
  /** The row of titles; the same node as long as the columns are the same. */
  readonly head = rowOf();
  readonly #columns: readonly Column<Row>[];
  readonly #own: OwnCells<Row> | undefined;
  readonly #model = rowOf();

  constructor(columns: readonly Column<Row>[], own?: OwnCells<Row>) {
    this.#columns = columns;
    this.#own = own;
    for (const column of columns) {
      const { label, names, number } = column;
      this.head.append(titleOf(column));
      const cell = make(names ? 'th' : 'td', '', number ? 'number' : '');
      cell.role = names ? 'rowheader' : 'cell';
      cell.dataset['label'] = label;
      if (names) cell.append(make('button', '', 'open'));
      this.#model.append(cell);
    }
  }

  /** @param row without one it is an outline: as high as a row, so that nothing moves */
  write(row?: Row): HTMLElement {
    const node = this.#model.cloneNode(true) as HTMLElement;
    if (row) node.dataset['id'] = row.id;
    let at = node.firstElementChild;
    for (const { id, cell, names } of this.#columns) {
      const said = row ? (this.#own?.get(id)?.(row, at!) ?? cell(row)) : make('i', '');
      const holder = (names ? at!.lastElementChild : at)!;
      if (typeof said === 'string') holder.textContent = said;
      else holder.append(said);
      at = at!.nextElementSibling;
    }
    return node;
  }
}

function titleOf<Row>({ id, label, number, slim }: Column<Row>) {
  const title = make(
    'th',
    '',
    `${number ? 'number ' : ''}${slim ? 'slim' : ''}`,
  ) as HTMLTableCellElement;
  title.role = 'columnheader';
  title.scope = 'col';
  const sort = make('button', label, 'sort') as HTMLButtonElement;
  sort.value = id;
  title.append(sort);
  return title;
}

/** Roles are written out, as in `write-conformance.ts`. */
function rowOf() {
  const row = make('tr', '');
  row.role = 'row';
  return row;
}
