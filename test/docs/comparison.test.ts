import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BUDGETS } from '../size/budgets.ts';

const FILE = join(import.meta.dirname, '../../docs/comparison.md');

/** `UPDATE_DOCS=1 npm run test:unit` updates the table. */
test('docs/comparison.md has the budgets that `npm run size` enforces', () => {
  const text = readFileSync(FILE, 'utf8');
  const rows = BUDGETS.flatMap(({ label, maxBytes }) =>
    maxBytes === undefined ? [] : [`| ${label} | ${maxBytes.toLocaleString('en')} |`],
  );
  const table = ['| Connect Embed | Bytes, at most |', '| - | - |', ...rows].join('\n');
  const between = /(<!-- weight: .* -->)[\s\S]*(<!-- \/weight -->)/;
  assert.match(text, between);
  const expected = text.replace(
    between,
    `$1\n<!-- prettier-ignore-start -->\n\n${table}\n\n<!-- prettier-ignore-end -->\n$2`,
  );
  if (process.env['UPDATE_DOCS']) writeFileSync(FILE, expected);
  else assert.equal(text, expected);
});

test('every source of docs/comparison.md is referenced, and every reference has a source', () => {
  const [page, list] = readFileSync(FILE, 'utf8').split('\n## Sources\n');
  const referenced = new Set([...page!.matchAll(/\\\[(\d+)\]/g)].map(([, number]) => number));
  const sources = [...list!.matchAll(/^(\d+)\. /gm)].map(([, number]) => number);
  assert.deepEqual([...referenced].sort(), [...sources].sort());
});

test('a row of docs/comparison.md is known for most of the products', () => {
  for (const row of readFileSync(FILE, 'utf8').matchAll(/^\| (.+) \|$/gm)) {
    const [, ...cells] = row[1]!.split(' | ');
    const unknown = cells.filter((cell) => cell.trim() === 'not verified');
    assert.ok(unknown.length < cells.length / 2, row[0]);
  }
});
