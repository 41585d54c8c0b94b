import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { drawAll } from '../site-builder-drawings.ts';

for (const [file, drawing] of drawAll()) {
  test(`${file.split('/').at(-1)} shows the code of its guide: node test/site-builder-drawings.ts`, () => {
    assert.equal(readFileSync(file, 'utf8'), drawing);
  });
}
