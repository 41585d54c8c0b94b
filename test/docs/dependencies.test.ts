import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Package {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Every registry package that any workspace package declares. */
function declared(): string[] {
  const files = [
    'package.json',
    ...globSync('{packages/*,server,demo,site,test,publish,workshop}/package.json', { cwd: root }),
  ];
  const names = files.flatMap((file) => {
    const { dependencies, devDependencies } = JSON.parse(read(file)) as Package;
    return Object.keys({ ...dependencies, ...devDependencies });
  });
  return [...new Set(names)].filter((name) => !name.startsWith('@connect-embed/')).sort();
}

/** Packages named in the first cell of a table row. */
function documentedPackages(): string[] {
  const rows = read('docs/dependencies.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  return rows
    .flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))
    .sort();
}

test('every dependency has a line with its reason', () => {
  assert.deepEqual(documentedPackages(), declared());
});
