import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

/**
 * Files of this package that the elements bundle. They must not import zod or any other package.
 */
const FOR_BROWSERS = [
  'client',
  'currency',
  'donation-export',
  'error',
  'fee-cover',
  'format-date',
  'format-money',
  'format-plural',
  'interpolate',
  'money',
  'apply-donation-terms',
];

/** Lists the modules that Node would load for a file. Type-only imports are not loaded. */
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
  test(`${name}.ts loads no package`, async () => {
    const packages = [...(await loadedBy(`./${name}.ts`))].filter((item) => !item.startsWith('./'));
    assert.deepEqual(packages, []);
  });
}

test('the check finds that embed-session.ts loads zod', async () => {
  assert.ok((await loadedBy('./embed-session.ts')).has('zod'));
});
