import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

/** What the elements' bundle may take from here without taking zod with it. */
const FOR_BROWSERS = [
  'client',
  'currency',
  'donation-export',
  'error',
  'fee-cover',
  'format-date',
  'format-money',
  'money',
  'apply-donation-terms',
];

/** Every module that Node would load for a file: imports of types only are not among them. */
async function loadedBy(file: string, seen = new Set<string>()): Promise<Set<string>> {
  const source = await readFile(new URL(file, import.meta.url), 'utf8');
  const imports = /^(?:import|export) (?!type )(?:[^;]*? from )?'([^']+)'/gm;
  for (const [, specifier = ''] of source.matchAll(imports)) {
    if (seen.has(specifier)) continue;
    seen.add(specifier);
    if (specifier.startsWith('./')) await loadedBy(specifier, seen);
  }
  return seen;
}

for (const name of FOR_BROWSERS) {
  test(`${name}.ts takes no package with it`, async () => {
    const packages = [...(await loadedBy(`./${name}.ts`))].filter((item) => !item.startsWith('./'));
    assert.deepEqual(packages, []);
  });
}

test('and the test would notice', async () => {
  assert.ok((await loadedBy('./embed-session.ts')).has('zod'));
});
