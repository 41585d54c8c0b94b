import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const withoutIndentation = (text: string) => text.replaceAll(/^ +/gm, '').trim();

test('the code of the guide to platforms is that of the sample application', () => {
  const sample = globSync('demo/many-organizations/*.ts', { cwd: ROOT }).map((file) =>
    withoutIndentation(read(file)),
  );
  const blocks = [...read('docs/platforms.md').matchAll(/^```ts\n([\s\S]*?)^```/gm)];
  assert.ok(blocks.length >= 5);
  for (const [, block] of blocks) {
    assert.ok(
      sample.some((file) => file.includes(withoutIndentation(block!))),
      block,
    );
  }
});
