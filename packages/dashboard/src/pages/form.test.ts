import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text } from './field-types.ts';
import { sectionsOf } from './form.ts';

test('fields are divided into sections at their headings, and the first must have one', () => {
  const [name, size] = [text({ heading: 'A name', label: 'Name' }), text({ label: 'Size' })];
  const note = text({ heading: 'More', label: 'Note' });
  assert.deepEqual(sectionsOf({ name, size, note }), [
    { id: 'section-a-name', heading: 'A name', fields: { name, size } },
    { id: 'section-more', heading: 'More', fields: { note } },
  ]);
  assert.throws(() => sectionsOf({ size, name }), /The first field, size, has no heading/);
});
