import { warnOnce } from '../shared/warn-once.ts';

/**
 * Splits an attribute such as `tools` at spaces and commas and returns the allowed tokens, without
 * duplicates. Unknown tokens are reported once in the console.
 */
export function parseTokens(
  table: HTMLElement & Record<'columns' | 'tools' | 'paging', string>,
  name: 'columns' | 'tools' | 'paging',
  allowed: readonly string[],
): string[] {
  const text = `${table[name] ?? ''}`; // A framework may set another type.
  const tokens = text.split(/[\s,]+/).filter(Boolean);
  const known = tokens.filter((token) => allowed.includes(token));
  if (known.length < tokens.length) warnOnce(table, name, text, `any of ${allowed.join(', ')}`);
  return [...new Set(known)];
}
