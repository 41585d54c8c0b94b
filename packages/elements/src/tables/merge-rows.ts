import type { List } from '@connect-embed/contract';
import { keepUnchanged } from './paged-list.ts';

/**
 * Merges the current first page into the shown rows: new rows are added at the top, known rows are
 * updated.
 *
 * @returns undefined if all rows are new: there may be rows in between, so the table must be
 *   reloaded
 */
export function mergeRows<Row extends { id: string }>(rows: Row[], { data }: List<Row>) {
  const known = new Set(rows.map(({ id }) => id));
  const added = data.filter(({ id }) => !known.has(id));
  if (added.length > 0 && added.length === data.length) return undefined;
  const latest = new Map(keepUnchanged(rows, data).map((row) => [row.id, row]));
  return [...added, ...rows.map((row) => latest.get(row.id) ?? row)];
}

/**
 * Merges a reloaded first page into rows that the viewer has sorted.
 *
 * @returns undefined if the ids on the page have changed: a new row can be at any position, so the table
 *   must start again with the reloaded page
 */
export function replaceFirstPage<Row extends { id: string }>(rows: Row[], { data }: List<Row>) {
  if (data.some(({ id }, index) => id !== rows[index]?.id)) return undefined;
  return [...keepUnchanged(rows, data), ...rows.slice(data.length)];
}
