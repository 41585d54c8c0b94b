import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const TERMS = ['Supports', 'Partially Supports', 'Does Not Support', 'Not Applicable'];

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const report = read('docs/accessibility-conformance.md');
const levelA = rowsOf('A');
const levelAA = rowsOf('AA');

/** Reads the cells of a level's table: criterion, conformance, remarks and tests. */
function rowsOf(level: string): string[][] {
  const [, table = ''] = report.split(new RegExp(`<!-- /?level ${level} -->`));
  const rows = table.split('\n').filter((line) => line.startsWith('| **'));
  return rows.map((row) => row.slice('| '.length, -' |'.length).split(' | '));
}

const numberOf = ([criterion = '']: string[]) => /^\*\*([\d.]+) /.exec(criterion)![1]!;

/** Finds a title as a string in the source text; `…` matches an interpolated expression. */
function isInSource(file: string, title: string): boolean {
  const parts = title.split('…').map(escapeRegExp);
  return new RegExp(`['"\`]${parts.join('\\$\\{[^\`]+?\\}')}['"\`]`).test(read(file));
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

describe('the accessibility conformance report', () => {
  test('has the 55 success criteria of levels A and AA in WCAG 2.2, in their order', () => {
    assert.deepEqual([levelA.length, levelAA.length], [31, 24]);
    assert.equal(new Set([...levelA, ...levelAA].map(numberOf)).size, 55);
    for (const numbers of [levelA.map(numberOf), levelAA.map(numberOf)]) {
      const inOrder = numbers.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
      assert.deepEqual(numbers, inOrder);
    }
  });

  for (const [criterion, conformance, remarks, tests, ...others] of [...levelA, ...levelAA]) {
    test(`${criterion} has a remark and names tests that exist`, () => {
      assert.ok(TERMS.includes(conformance!), conformance);
      assert.ok(remarks?.trim());
      assert.deepEqual(others, []);
      for (const ofFile of tests!.split('<br>')) {
        const [, file, titles] = /^\[[\w-]+\]\(\.\.\/(\S+)\): (.+)$/.exec(ofFile)!;
        for (const title of titles!.split('; '))
          assert.ok(isInSource(file!, title), `${file}: ${title}`);
      }
    });
  }

  test('has the version of the elements', () => {
    const { version } = JSON.parse(read('packages/elements/package.json')) as { version: string };
    assert.equal(/^\| Version +\| (\S+) +\|$/m.exec(report)?.[1], version);
  });
});
