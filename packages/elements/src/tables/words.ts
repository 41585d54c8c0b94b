import { warnOnce } from '../internal/script-home.ts';
import type { Resource, TableElement } from './table-element.ts';

/** The words of an attribute that mean something; the others are told once in the console. */
export function wordsOf<Row extends Resource>(
  table: TableElement<Row>,
  name: 'columns' | 'tools' | 'paging',
  allowed: readonly string[],
): string[] {
  const text = `${table[name] ?? ''}`;
  const words = text.split(/[\s,]+/).filter(Boolean);
  const known = words.filter((word) => allowed.includes(word));
  if (known.length < words.length) warnOnce(table, name, text, `of ${allowed.join(' ')}`);
  return [...new Set(known)];
}
