import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

/**
 * Files of this package that are part of the elements' bundles or of the client. They must not import zod or any
 * other package.
 */
const FOR_BROWSERS = [
  'client',
  'currency',
  'default-form',
  'email-address',
  'error',
  'fee-cover',
  'format-date',
  'format-money',
  'format-plural',
  'interpolate',
  'money',
  'payment-method',
  'apply-donation-terms',
  'transport',
  'visible-text',
];

/** Lists the modules that Node would load for a file. Type-only imports are not loaded. */
async function modulesLoadedBy(file: string, visited = new Set<string>()): Promise<Set<string>> {
  const source = await readFile(new URL(file, import.meta.url), 'utf8');
  const imports = /^(?:import|export) (?!type )(?:[^;]*? from )?'([^']+)'/gm;
  for (const [, specifier = ''] of source.matchAll(imports)) {
    if (visited.has(specifier)) continue;
    visited.add(specifier);
    if (specifier.startsWith('./')) await modulesLoadedBy(specifier, visited);
  }
  return visited;
}

for (const name of FOR_BROWSERS) {
  test(`${name}.ts loads no package`, async () => {
    const packages = [...(await modulesLoadedBy(`./${name}.ts`))].filter(
      (item) => !item.startsWith('./'),
    );
    assert.deepEqual(packages, []);
  });
}

test('the check finds that embed-session.ts loads zod', async () => {
  assert.ok((await modulesLoadedBy('./embed-session.ts')).has('zod'));
});
