import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

/**
 * Fails if a document does not have this Markdown between `<!-- name: … -->` and `<!-- /name -->`.
 * `UPDATE_DOCS=1 npm run test:unit` writes it there.
 */
export async function expectPart(document: string, name: string, markdown: string): Promise<void> {
  const file = join(import.meta.dirname, '../..', document);
  const page = readFileSync(file, 'utf8');
  const between = new RegExp(`(<!-- ${name}: .* -->)[\\s\\S]*(<!-- /${name} -->)`);
  assert.ok(between.test(page), `${document} has no comments for ${name}`);
  const raw = page.replace(between, (_, start, end) => `${start}\n\n${markdown}\n\n${end}`);
  const expected = await format(raw, { ...(await resolveConfig(file)), parser: 'markdown' });
  if (process.env['UPDATE_DOCS']) writeFileSync(file, expected);
  else assert.equal(page, expected);
}
