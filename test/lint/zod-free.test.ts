import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { IMPORT_TABLE } from './import-table.js';

/**
 * Files of the contract that packages import although they may import only types of it. They are part of the elements'
 * bundles or of the client, so they must not import zod or any other package.
 */
const ZOD_FREE = new Set(
  Object.values(IMPORT_TABLE)
    .filter(({ workspacePackages }) => workspacePackages['contract'] === 'types')
    .flatMap(({ values = [] }) => values),
);
const CONTRACT = new URL('../../packages/contract/src/', import.meta.url);

/** Lists the modules that Node would load for a file. Type-only imports are not loaded. */
function modulesLoadedBy(file: string, visited = new Set<string>()): Set<string> {
  const source = readFileSync(new URL(file, CONTRACT), 'utf8');
  const imports = /^(?:import|export) (?!type )(?:[^;]*? from )?'([^']+)'/gm;
  for (const [, specifier = ''] of source.matchAll(imports)) {
    if (visited.has(specifier)) continue;
    visited.add(specifier);
    if (specifier.startsWith('./')) modulesLoadedBy(specifier, visited);
  }
  return visited;
}

for (const name of ZOD_FREE) {
  test(`${name}.ts of the contract loads no package`, () => {
    const modules = [...modulesLoadedBy(`./${name}.ts`)];
    assert.deepEqual(
      modules.filter((item) => !item.startsWith('./')),
      [],
    );
  });
}

test('the check finds that embed-session.ts loads zod', () => {
  assert.ok(modulesLoadedBy('./embed-session.ts').has('zod'));
});
