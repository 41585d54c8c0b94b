import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import type { Criterion, TestReference } from './criterion.ts';
import { LEVEL_A } from './level-a.ts';
import { LEVEL_AA } from './level-aa.ts';

const ROOT = join(import.meta.dirname, '../../..');
const DOCUMENT = 'docs/accessibility-conformance.md';
const TABLES = { A: LEVEL_A, AA: LEVEL_AA };
const CRITERIA = [...LEVEL_A, ...LEVEL_AA];

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Finds a title as a string in the source text; `…` matches an interpolated expression. */
function isInSource({ file, title }: TestReference): boolean {
  const parts = title.split('…').map(escapeRegExp);
  return new RegExp(`['"\`]${parts.join('\\$\\{[^\`]+?\\}')}['"\`]`).test(read(file));
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

describe('the accessibility conformance report', () => {
  test('has the 55 success criteria of levels A and AA in WCAG 2.2, in their order', () => {
    assert.deepEqual([LEVEL_A.length, LEVEL_AA.length], [31, 24]);
    assert.equal(new Set(CRITERIA.map(({ number }) => number)).size, 55);
    for (const level of [LEVEL_A, LEVEL_AA]) {
      const numbers = level.map(({ number }) => number);
      const inOrder = numbers.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
      assert.deepEqual(numbers, inOrder);
    }
  });

  for (const { number, name, remarks, tests } of CRITERIA) {
    test(`${number} ${name} has a remark and names tests that exist`, () => {
      assert.ok(remarks);
      assert.ok(tests.length > 0);
      for (const reference of tests) {
        assert.ok(isInSource(reference), `${reference.file}: ${reference.title}`);
      }
    });
  }

  /** `UPDATE_DOCS=1 npm run test:unit` updates them. */
  test('has the version of the elements and the tables of both levels', () => {
    const text = read(DOCUMENT);
    const expected = Object.entries(TABLES).reduce(
      (page, [level, criteria]) => replaceTable(page, level, criteria),
      replaceVersion(text),
    );
    if (process.env['UPDATE_DOCS']) writeFileSync(join(ROOT, DOCUMENT), expected);
    else assert.equal(text, expected);
  });
});

function replaceVersion(page: string): string {
  const { version } = JSON.parse(read('packages/elements/package.json')) as { version: string };
  const row = /^(\| Version +\| )(.+)( \|)$/m;
  assert.match(page, row);
  return page.replace(
    row,
    (_, start: string, old: string, end: string) => start + version.padEnd(old.length) + end,
  );
}

function replaceTable(page: string, level: string, criteria: readonly Criterion[]): string {
  const between = new RegExp(`(<!-- level ${level}: .* -->)[\\s\\S]*(<!-- /level ${level} -->)`);
  assert.match(page, between);
  // Prettier would pad all cells to the width of the longest.
  const table = `<!-- prettier-ignore-start -->\n\n${tableOf(criteria)}\n\n<!-- prettier-ignore-end -->`;
  return page.replace(between, (_, start: string, end: string) => `${start}\n${table}\n${end}`);
}

const tableOf = (criteria: readonly Criterion[]) =>
  [
    ['Criteria', 'Conformance level', 'Remarks and explanations', 'Tests'],
    ['-', '-', '-', '-'],
    ...criteria.map(({ number, name, conformance, remarks, tests }) => [
      `**${number} ${name}**`,
      conformance,
      remarks,
      testsCell(tests),
    ]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

/** Lists tests by file; each file is a link, followed by the titles. */
const testsCell = (tests: readonly TestReference[]) =>
  [...Map.groupBy(tests, ({ file }) => file)]
    .map(([file, ofFile]) => {
      const name = basename(file).replace(/\.(test|e2e)\.ts$/, '');
      return `[${name}](../${file}): ${ofFile.map(({ title }) => title).join('; ')}`;
    })
    .join('<br>');
