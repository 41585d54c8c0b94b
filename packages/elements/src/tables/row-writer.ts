import type { Column, Resource } from './column.ts';
import { createNode } from './format.ts';

/** The page's own cell renderers, by column id. */
export type CellOverrides<Row> = ReadonlyMap<string, (row: Row, cell: Element) => string | Node>;

/**
 * Creates table rows: a template row is built once, cloned for each row and filled in. A template
 * renders everything around the rows: docs/decisions/0044-tables.md
 */
export class RowWriter<Row extends Resource> {
  /** The header row. The same node as long as the columns are the same. */
  readonly head = createRowNode();
  readonly #columns: readonly Column<Row>[];
  readonly #overrides: CellOverrides<Row> | undefined;
  readonly #template = createRowNode();

  constructor(columns: readonly Column<Row>[], overrides?: CellOverrides<Row>) {
    this.#columns = columns;
    this.#overrides = overrides;
    for (const column of columns) {
      const { label, isRowHeader, isNumeric } = column;
      this.head.append(createHeaderCell(column));
      const cell = createNode(isRowHeader ? 'th' : 'td', '', isNumeric ? 'number' : '');
      cell.role = isRowHeader ? 'rowheader' : 'cell';
      cell.dataset['label'] = label;
      if (isRowHeader) cell.append(createNode('button', '', 'open'));
      this.#template.append(cell);
    }
  }

  /** @param row omitted for a placeholder row, which has the same height */
  createRow(row?: Row): HTMLElement {
    const node = this.#template.cloneNode(true) as HTMLElement;
    if (row) node.dataset['id'] = row.id;
    let at = node.firstElementChild;
    for (const { id, cell, isRowHeader } of this.#columns) {
      const content = row
        ? (this.#overrides?.get(id)?.(row, at!) ?? cell(row))
        : createNode('i', '');
      const container = (isRowHeader ? at!.lastElementChild : at)!;
      if (typeof content === 'string') container.textContent = content;
      else container.append(content);
      at = at!.nextElementSibling;
    }
    return node;
  }
}

function createHeaderCell<Row>({ id, label, isNumeric, isNarrow }: Column<Row>) {
  const title = createNode(
    'th',
    '',
    `${isNumeric ? 'number ' : ''}${isNarrow ? 'narrow' : ''}`,
  ) as HTMLTableCellElement;
  title.role = 'columnheader';
  title.scope = 'col';
  const sort = createNode('button', label, 'sort') as HTMLButtonElement;
  sort.value = id;
  title.append(sort);
  return title;
}

/** Explicit ARIA roles, for the reason given in `table-view.ts`. */
function createRowNode() {
  const row = createNode('tr', '');
  row.role = 'row';
  return row;
}
