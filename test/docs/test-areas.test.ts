import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { areaOf, findTestFiles, testAreasMarkdown } from './test-areas-markdown.ts';
import { TEST_AREAS } from './test-areas.ts';

const DOCUMENT = 'test/README.md';
const MAX_ROWS = 60;

test('every test file belongs to an area, and every pattern and area has a test file', () => {
  const files = findTestFiles();
  assert.ok(files.length > 200);
  assert.deepEqual(
    files.filter((file) => !areaOf(file)),
    [],
  );
  const unused = TEST_AREAS.flatMap(([, patterns]) =>
    patterns.filter((pattern) => !files.some((file) => file.includes(pattern))),
  );
  assert.deepEqual(unused, []);
  for (const [area] of TEST_AREAS)
    assert.ok(
      files.some((file) => areaOf(file) === area),
      area,
    );
  assert.ok(TEST_AREAS.length <= MAX_ROWS);
});

/** `UPDATE_DOCS=1 npm run test:unit` updates the table. */
test(`${DOCUMENT} has the table of what is tested where`, () => {
  const file = join(import.meta.dirname, '../..', DOCUMENT);
  const text = readFileSync(file, 'utf8');
  // Prettier would pad all cells to the width of the longest.
  const between = /(<!-- areas: .* -->)[\s\S]*(<!-- \/areas -->)/;
  const expected = text.replace(
    between,
    `$1\n<!-- prettier-ignore-start -->\n\n${testAreasMarkdown(DOCUMENT)}\n\n<!-- prettier-ignore-end -->\n$2`,
  );
  assert.match(text, between);
  if (process.env['UPDATE_DOCS']) writeFileSync(file, expected);
  else assert.equal(text, expected);
});
