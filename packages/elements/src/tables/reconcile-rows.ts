import type { RowWriter } from './row-writer.ts';
import type { TableHost } from './table-host.ts';
import type { Resource } from './column.ts';

/**
 * Updates the DOM rows of a table to match its data.
 *
 * A row keeps its DOM node when its position changes, and its cells while their content is equal. The
 * scroll position, a text selection and the focus are therefore preserved.
 */
export class RowReconciler<Row extends Resource> {
  readonly #table: TableHost<Row>;
  #writer: RowWriter<Row>;
  readonly #rowByNode = new WeakMap<Element, Row>();

  constructor(table: TableHost<Row>) {
    this.#table = table;
    this.#writer = table.writer;
  }

  reconcile(body: HTMLElement, rows: readonly Row[]) {
    const { writer, pages } = this.#table;
    // Different columns need new rows.
    if (writer !== this.#writer) body.replaceChildren();
    this.#writer = writer;
    const known = new Map(
      ([...body.children] as HTMLElement[]).map((node) => [node.dataset['id'], node]),
    );
    let next = body.firstElementChild;
    // The first rows are inserted in one operation.
    const all = next ? body : document.createDocumentFragment();
    for (const row of rows) {
      let node = known.get(row.id);
      known.delete(row.id);
      if (!node) {
        node = writer.createRow(row);
        if (pages.addedIds.has(row.id)) node.className = 'new-row';
      } else if (this.#rowByNode.get(node) !== row) updateCells(node, writer.createRow(row));
      this.#rowByNode.set(node, row);
      if (node === next) next = node.nextElementSibling;
      else all.insertBefore(node, next);
    }
    if (all !== body) body.append(all);
    for (const node of known.values()) node.remove();
  }
}

/** Updates changed cells of a row. The button that opens its details is kept, and with it the focus. */
function updateCells(node: Element, now: Element) {
  const newContents = [...now.children].map(contentHolder);
  [...node.children].map(contentHolder).forEach((holder, index) => {
    const content = newContents[index]!;
    if (!holder.isEqualNode(content)) holder.replaceChildren(...content.childNodes);
  });
}

const contentHolder = (cell: Element) => cell.querySelector(':scope > .open:only-child') ?? cell;
