import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';

const GUIDES = join(import.meta.dirname, '../../docs/site-builders');
const DRAWINGS = globSync('images/*.svg', { cwd: GUIDES });
assert.equal(DRAWINGS.length, 6);
const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

for (const drawing of DRAWINGS) {
  test(`${drawing} shows the code of its guide`, () => {
    const guide = readFileSync(join(GUIDES, `${basename(drawing, '.svg')}.md`), 'utf8');
    const [, code] = /```(?:html|text)\n(.+?)\n```/s.exec(guide)!;
    const svg = readFileSync(join(GUIDES, drawing), 'utf8');
    for (const line of code!.replace(' src=', '\n  src=').split('\n'))
      assert.ok(svg.includes(`>${escapeXml(line)}</text>`), line);
  });
}
