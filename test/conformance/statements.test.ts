import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { outcomeOf } from './markdown.ts';
import { mergeResults } from './results.ts';
import type { Result } from './results-reporter.ts';
import { SECTIONS } from './statements/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const statements = SECTIONS.flatMap((section) => section.statements);

describe('the statements', () => {
  test('are unique', () => {
    for (const { title, statements } of SECTIONS) {
      const texts = statements.map(({ text }) => text);
      assert.equal(new Set(texts).size, texts.length, title);
    }
  });

  test('reference at least one test each, in an existing file', () => {
    for (const { text, tests } of statements) {
      assert.ok(tests.length > 0, text);
      for (const { file } of tests) assert.ok(existsSync(join(ROOT, file)), `${text}: ${file}`);
    }
  });
});

describe('a statement', () => {
  const file = 'a.test.ts';
  const text = 'A statement.';
  const results: Result[] = [
    { file, title: 'GET /a › responds', outcome: 'passed' },
    { file, title: 'GET /b › responds', outcome: 'failed' },
    { file, title: 'GET /c › responds', outcome: 'skipped' },
  ];
  for (const [titles, outcome] of [
    [['GET /a › responds'], 'passed'],
    [['* › responds'], '**failed**'],
    [['GET /a *', 'GET /c *'], 'skipped'],
    [['GET /a *', 'GET /d *'], '**no test**'],
    [['GET'], '**no test**'],
    [['GET /. › responds'], '**no test**'],
  ] as const) {
    test(`with ${titles.join(' and ')} has the result ${outcome.replaceAll('*', '')}`, () => {
      const tests = titles.map((title) => ({ file, title }));
      assert.equal(outcomeOf({ text, tests }, results), outcome);
    });
  }
});

test('results of a second run replace all results of the files that it ran', () => {
  const ofFirstRun: Result[] = [
    { file: 'a.test.ts', title: 'passes', outcome: 'passed' },
    { file: 'b.test.ts', title: 'b.test.ts', outcome: 'failed' },
  ];
  const ofSecondRun: Result[] = [{ file: 'b.test.ts', title: 'passes', outcome: 'passed' }];
  assert.deepEqual(mergeResults(ofFirstRun, ofSecondRun), [ofFirstRun[0], ...ofSecondRun]);
});
