import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { outcomeOf } from './markdown.ts';
import type { Result } from './results-reporter.ts';
import { SECTIONS } from './statements/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const statements = SECTIONS.flatMap((section) => section.statements);

describe('the statements', () => {
  test('are unique', () => {
    for (const { title, statements } of SECTIONS) {
      const said = statements.map(({ says }) => says);
      assert.equal(new Set(said).size, said.length, title);
    }
  });

  test('reference at least one test each, in an existing file', () => {
    for (const { says, shownBy } of statements) {
      assert.ok(shownBy.length > 0, says);
      for (const { file } of shownBy) assert.ok(existsSync(join(ROOT, file)), `${says}: ${file}`);
    }
  });
});

describe('a statement', () => {
  const file = 'a.test.ts';
  const says = 'It is so.';
  const results: Result[] = [
    { file, title: 'GET /a › is so', outcome: 'passes' },
    { file, title: 'GET /b › is so', outcome: 'fails' },
    { file, title: 'GET /c › is so', outcome: 'skipped' },
  ];
  for (const [titles, outcome] of [
    [['GET /a › is so'], 'holds'],
    [['* › is so'], '**fails**'],
    [['GET /a *', 'GET /c *'], 'skipped'],
    [['GET /a *', 'GET /d *'], '**shown by nothing**'],
    [['GET'], '**shown by nothing**'],
    [['GET /. › is so'], '**shown by nothing**'],
  ] as const) {
    test(`with ${titles.join(' and ')} ${outcome.replaceAll('*', '')}`, () => {
      const shownBy = titles.map((title) => ({ file, title }));
      assert.equal(outcomeOf({ says, shownBy }, results), outcome);
    });
  }
});
