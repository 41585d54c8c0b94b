import type { RowsWindow } from './rows-window.ts';
import type { TableElement } from './table-element.ts';
import type { Resource } from './column.ts';

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
};

/**
 * Moves the focus from row to row with the arrow, Page Up, Page Down, Home and End keys, also to rows
 * that have no DOM node yet (virtual scrolling).
 *
 * @param rows all shown rows, in display order
 */
export async function navigateRows<Row extends Resource>(
  event: KeyboardEvent,
  table: TableElement<Row>,
  rows: readonly Row[],
  rowsWindow: RowsWindow,
) {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
  const root = table.renderRoot as ShadowRoot;
  const id = root.activeElement?.closest('.open')?.closest('tr')?.dataset['id'];
  if (!id) return;
  event.preventDefault();
  const from = rows.findIndex((row) => row.id === id);
  const to = Math.max(0, Math.min(rows.length - 1, from + step));
  rowsWindow.scrollToRow(to);
  await table.updateComplete;
  const target = `.rows tr[data-id="${CSS.escape(rows[to]!.id)}"] .open`;
  const node = root.querySelector<HTMLElement>(target);
  node?.focus({ preventScroll: rowsWindow.isActive });
  node?.scrollIntoView({ block: 'nearest' });
}
