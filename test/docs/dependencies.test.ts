import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { satisfies } from 'semver';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Package {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  engines?: { node?: string };
}

/** Every registry package that any workspace package declares. */
function declared(): string[] {
  const files = [
    'package.json',
    ...globSync('{packages/*,server,demo,test}/package.json', { cwd: root }),
  ];
  const names = files.flatMap((file) => {
    const { dependencies, devDependencies } = JSON.parse(read(file)) as Package;
    return Object.keys({ ...dependencies, ...devDependencies });
  });
  return [...new Set(names)]
    .filter((name) => !/^(@connect-embed\/|connect-embed$)/.test(name))
    .sort();
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

test('the Node that README.md asks for runs every package of the lock file', () => {
  const { engines } = JSON.parse(read('package.json')) as Package;
  const [, node = ''] = /You need Node (\S+) or newer/.exec(read('README.md')) ?? [];
  assert.equal(engines?.node, `>=${node}`);
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, Package & { optional?: true }>;
  };
  // npm skips an optional package that does not run on this machine, without a warning.
  const tooNew = Object.entries(packages)
    .filter(([, { optional }]) => !optional)
    .filter(([, item]) => item.engines?.node && !satisfies(`${node}.0`, item.engines.node))
    .map(([name]) => name);
  assert.deepEqual(tooNew, []);
});

test('every dependency has a line with its reason', () => {
  assert.deepEqual(documentedPackages(), declared());
});
