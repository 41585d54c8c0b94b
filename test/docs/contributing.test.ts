import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { format, resolveConfig } from 'prettier';
import { importTableMarkdown } from '../lint/import-table-markdown.ts';
import { moduleLayersMarkdown } from '../lint/module-layers-markdown.ts';

const root = join(import.meta.dirname, '../..');

/** Tables that lint rules enforce, by the document and the name of the comments around them. */
const TABLES = [
  ['CONTRIBUTING.md', 'import table', importTableMarkdown()],
  ['packages/api/README.md', 'modules', moduleLayersMarkdown('packages/api/src')],
] as const;

for (const [document, name, table] of TABLES) {
  /** `UPDATE_DOCS=1 npm run test:unit` updates the table. */
  test(`${document} has the ${name} of the lint rule`, async () => {
    const file = join(root, document);
    const text = readFileSync(file, 'utf8');
    const between = new RegExp(`(<!-- ${name}: .* -->)[\\s\\S]*(<!-- /${name} -->)`);
    const raw = text.replace(between, `$1\n\n${table}\n\n$2`);
    const expected = await format(raw, { ...(await resolveConfig(file)), parser: 'markdown' });
    if (process.env['UPDATE_DOCS']) writeFileSync(file, expected);
    else assert.equal(text, expected);
  });
}
