import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { format } from 'prettier';
import { importTableMarkdown } from '../lint/import-table-markdown.ts';

const file = join(import.meta.dirname, '../../CONTRIBUTING.md');
const PLACE = /(<!-- import table: .* -->)[\s\S]*(<!-- \/import table -->)/;

/** `UPDATE_DOCS=1 npm run test:unit` updates the table. */
test('CONTRIBUTING.md has the import table of the lint rule', async () => {
  const text = readFileSync(file, 'utf8');
  const raw = text.replace(PLACE, `$1\n\n${importTableMarkdown()}\n\n$2`);
  const expected = await format(raw, { parser: 'markdown', printWidth: 100, singleQuote: true });
  if (process.env['UPDATE_DOCS']) writeFileSync(file, expected);
  else assert.equal(text, expected);
});
