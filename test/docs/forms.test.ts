import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DonationTermsInput, URL_PREFILL_FIELDS } from '@connect-embed/contract';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const guide = read('docs/forms.md');
const form = read('server/connect-config.ts').split('const Form =')[1]!.split('});')[0]!;

const names = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, item]) => item!);

describe('the guide to forms', () => {
  test('names every field of a form, and no other', () => {
    const fields = [...Object.keys(DonationTermsInput.shape), ...names(form, /^ {2}(\w+):/gm)];
    assert.ok(fields.length > 20);
    assert.deepEqual(names(guide, /^\| `(\w+)`/gm).sort(), fields.sort());
  });

  test('has an example with documented fields', () => {
    const known = new Set(names(guide, /^\| `(\w+)`/gm));
    const [example] = /forms: \{[\s\S]*?^```/m.exec(guide)!;
    const exampleTerms = names(example, /^ {6}(\w+):/gm);
    assert.ok(exampleTerms.length > 5);
    for (const name of exampleTerms) assert.ok(known.has(name), name);
  });

  test('names every field that a URL may prefill', () => {
    const prefillSection = guide.split('## Prefill a form')[1]!;
    for (const key of URL_PREFILL_FIELDS) assert.ok(prefillSection.includes(`\`${key}\``), key);
  });
});
