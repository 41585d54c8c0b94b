import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BUDGETS } from '../size/budgets.ts';
import { expectPart } from './generated-part.ts';

const comparison = readFileSync(join(import.meta.dirname, '../../docs/comparison.md'), 'utf8');

test('docs/comparison.md has the budgets that `npm run size` enforces', async () => {
  const rows = BUDGETS.flatMap(({ label, maxBytes }) =>
    maxBytes === undefined ? [] : [`| ${label} | ${maxBytes.toLocaleString('en')} |`],
  );
  const table = ['| Connect Embed | Bytes, at most |', '| - | - |', ...rows].join('\n');
  await expectPart('docs/comparison.md', 'weight', table);
});

test('README.md has the budget of the donation form', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const [{ maxBytes }] = BUDGETS;
  assert.ok(readme.includes(`at most ${maxBytes.toLocaleString('en')} bytes of script`));
});

test('every source of docs/comparison.md is referenced, and every reference has a source', () => {
  const [page, list] = comparison.split('\n## Sources\n');
  const referenced = new Set([...page!.matchAll(/\\\[(\d+)\]/g)].map(([, number]) => number));
  const sources = [...list!.matchAll(/^(\d+)\. /gm)].map(([, number]) => number);
  assert.ok(sources.length > 0);
  assert.deepEqual([...referenced].sort(), [...sources].sort());
});

test('a row of docs/comparison.md is known for most of the products', () => {
  const rows = [...comparison.matchAll(/^\| (.+) \|$/gm)].map(([, row]) => row!);
  assert.ok(rows.length > 20);
  for (const row of rows) {
    const [, ...cells] = row.split(' | ');
    const unknown = cells.filter((cell) => cell.trim() === 'not verified');
    assert.ok(unknown.length < cells.length / 2, row);
  }
});
