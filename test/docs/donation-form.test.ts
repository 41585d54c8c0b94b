import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { namesInGuide, namesInManifest, read } from './element-guides.ts';

const FORM = /^connect-donate$/;
const guide = read('docs/donation-form.md') + read('docs/donation-form-special-cases.md');

describe('the guide to the donation form', () => {
  test('names every attribute of the element, and no other', () => {
    assert.deepEqual(namesInGuide(guide, 'Attributes'), namesInManifest(FORM, 'attributes'));
  });

  test('names every event of the element, and no other', () => {
    assert.deepEqual(namesInGuide(guide, 'Events'), namesInManifest(FORM, 'events'));
  });

  test('names every custom property, with its Stripe equivalent, and every part', () => {
    assert.deepEqual(namesInGuide(guide, 'Appearance'), namesInManifest(FORM, 'cssProperties'));
    const source = read('packages/elements/src/form/apply-appearance.ts');
    const equivalents = [...guide.matchAll(/^\| `(--[\w-]+)`\s*\| `(\w+)`/gm)];
    assert.ok(equivalents.length > 0);
    for (const [, cssProperty, stripeVariable] of equivalents)
      assert.ok(source.includes(`${stripeVariable}: '${cssProperty}'`), cssProperty);
    for (const part of namesInManifest(FORM, 'cssParts'))
      assert.ok(guide.includes(`\`${part}\``), part);
  });
});
